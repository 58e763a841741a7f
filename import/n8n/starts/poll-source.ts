import { asN8nObject, cutWellFormed, type N8nObject } from '../file';
import type { EmptyFieldChoice } from '../remarks';
import { chosenListValue } from '../nodes/http';
import { isN8nExpression, escapeBraces } from '../n8n-expressions';

/** A poll of a service in place of a trigger of n8n that asks for new items. */
export interface PollSource {
  /** The service in messages. */
  name: string;
  connectorId: string;
  /** The operation of the connector, and how it finds new items: as the connector describes it. */
  operation: string;
  parameters: N8nObject;
  items: string;
  key: string;
  cursor?: string;
  /** Our names of fields that have other names in n8n, by the names in n8n. */
  names?: ReadonlyMap<string, string>;
  hint?: string;
  /** The fields that are empty in n8n, too. */
  choices?: readonly EmptyFieldChoice[];
}

/** A text that is written or chosen from a list. One with expressions is not known before a run. */
export function literalChoice(given: unknown): string | undefined {
  const value = chosenListValue(given);
  return typeof value === 'string' && value.trim() !== '' && !isN8nExpression(value)
    ? escapeBraces(cutWellFormed(value, 2000))
    : typeof value === 'number'
      ? String(value)
      : undefined;
}

/** The name of a choice. */
export function choiceName(given: unknown): string | undefined {
  const { mode, cachedResultName: name } = asN8nObject(given);
  return mode === 'list' && typeof name === 'string' && name !== ''
    ? escapeBraces(cutWellFormed(name, 2000))
    : literalChoice(given);
}

export const isAnyEvent = (event: unknown, ...events: string[]): boolean => events.includes(String(event));
