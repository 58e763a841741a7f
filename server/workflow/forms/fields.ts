import type { FieldIssue } from '@/contract/error-response';
import {
  normalizeFieldValues,
  validateFieldValues,
  type FormFieldValues,
  type FormField,
} from '@/contract/triggers/form-fields';
import { findSchemaIssues, type EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { findRegexProblem } from '@/server/evaluation/expressions/regex/check';

/** The flag of patterns in JSON Schemas, which check the values. */
const FIELD_PATTERN_FLAGS = 'u';

/** The pattern as it is matched: like the attribute of HTML, it describes the whole text. */
const wholeTextPattern = (pattern: string) => `^(?:${pattern})$`;

/** Why fields cannot be saved, apart from what their schema says; paths begin at the list, such as `[2].pattern`. */
export const savedFieldIssues = (fields: readonly FormField[]): FieldIssue[] =>
  fields.flatMap(({ pattern }, index) => {
    const problem = pattern === undefined ? null : fieldPatternProblem(pattern);
    return problem ? [{ field: `[${index}].pattern`, message: `cannot be used: ${problem}` }] : [];
  });

/** The pattern alone is checked first: `a)(b` is a pattern only inside the group. */
const fieldPatternProblem = (pattern: string): string | null =>
  (findRegexProblem(pattern, FIELD_PATTERN_FLAGS) ?? findRegexProblem(wholeTextPattern(pattern), FIELD_PATTERN_FLAGS))
    ?.message ?? null;

/** The values of a form that fit its fields, or the reasons why they do not. */
export type CheckedFormValues = { values: FormFieldValues; issues: null } | { values: null; issues: FieldIssue[] };

/**
 * Checks values against fields, and patterns in an evaluator process. `isPartial`: fields may be missing. Throws
 * EvaluationFailed if patterns cannot be checked now.
 */
export async function checkFormValues(
  fields: readonly FormField[],
  given: FormFieldValues,
  { isPartial = false, ...purpose }: EvaluationContext & { isPartial?: boolean },
): Promise<CheckedFormValues> {
  const issues = validateFieldValues(fields, given, { isPartial });
  if (issues.length > 0) return { values: null, issues };
  const values = normalizeFieldValues(fields, given);
  const unmatched = await findPatternIssues(fields, values, purpose);
  return unmatched.length > 0 ? { values: null, issues: unmatched } : { values, issues: null };
}

async function findPatternIssues(
  fields: readonly FormField[],
  values: FormFieldValues,
  purpose: EvaluationContext,
): Promise<FieldIssue[]> {
  const properties = fields.flatMap(({ name, pattern }) =>
    pattern === undefined || values[name] === undefined
      ? []
      : [[name, { pattern: wholeTextPattern(pattern) }] as const],
  );
  if (properties.length === 0) return [];
  const texts = Object.fromEntries(properties.map(([name]) => [name, values[name]]));
  const issues = await findSchemaIssues({ properties: Object.fromEntries(properties) }, texts, purpose);
  // An issue of the whole value: the check took too long.
  return issues.map(({ field, message }) =>
    field === ''
      ? { field: properties[0]?.[0] ?? '', message }
      : { field: field.slice(1), message: 'does not have the expected format' },
  );
}
