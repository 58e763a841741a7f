import {
  MAX_CHOICE_TEXT,
  type FieldChoice,
  type ListChoicesRequest,
  type ListChoicesResponse,
} from '@/contract/choices';
import type { SignedInCall } from '@/server/api/operation/operation';
import { findApiKeyScopes } from '@/server/people/auth/api-key';
import { forbiddenProblem, invalidFieldProblem } from '@/server/platform/errors/problem';

/** What a source is asked for. */
export interface ChoiceQuery {
  /** The values of the fields on which the source depends: none is empty. */
  values: Readonly<Record<string, string>>;
  search: string;
  cursor: string | undefined;
}

/** Lists a page of choices that the caller may see, and checks the caller's permissions. */
export type ChoiceLister = (call: SignedInCall, query: ChoiceQuery) => Promise<ListChoicesResponse>;

/**
 * Choices serve the editing of workflows, and later sources call third parties: a key that only reads does not get
 * them.
 */
export async function requireWriteScope({ db, caller: { apiKeyId } }: SignedInCall): Promise<void> {
  if (apiKeyId === null) return;
  const scopes = await findApiKeyScopes(db, apiKeyId);
  if (!scopes.includes('write') && !scopes.includes('*'))
    throw forbiddenProblem('This needs an API key with the scope write.');
}

/**
 * The values on which a source depends. Throws 400 for one that is missing, unless it may be empty. Other values are
 * left out: they have no effect.
 */
export function readSourceValues(
  values: ListChoicesRequest['values'],
  needed: readonly string[],
  optional: readonly string[] = [],
): Record<string, string> {
  const read = [...needed, ...optional].flatMap((field): [string, string][] => {
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    if (value === undefined || value === null || value === '') {
      if (!needed.includes(field)) return [];
      throw invalidFieldProblem(`values.${field}`, 'is required');
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw invalidFieldProblem(`values.${field}`, 'must be a text, a number or a boolean');
    return [[field, String(value)]];
  });
  return Object.fromEntries(read);
}

/** A text in one line, without control characters, no longer than a choice may be. */
function toPlainText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > MAX_CHOICE_TEXT ? `${line.slice(0, MAX_CHOICE_TEXT - 1)}…`.toWellFormed() : line;
}

const toPlainTexts = <Choice extends Pick<FieldChoice, 'value' | 'label' | 'hint'>>(choice: Choice): Choice => ({
  ...choice,
  label: toPlainText(choice.label) || toPlainText(String(choice.value)),
  ...(choice.hint === undefined ? {} : { hint: toPlainText(choice.hint) }),
});

/** A choice with plain texts. One whose label has nothing to see is called by its value. */
export const toPlainChoice = ({ options, ...choice }: FieldChoice): FieldChoice => ({
  ...toPlainTexts(choice),
  ...(options === undefined ? {} : { options: options.map(toPlainTexts) }),
});
