import type { FieldError } from '@/contract/error';
import { storedValues, valueIssues, type FieldValues, type FormField } from '@/contract/triggers/form-fields';
import { matchSchema, type Purpose } from '@/server/evaluation/evaluation';
import { regexProblem } from '@/server/expressions/regex/check';

/** The flag of patterns in JSON Schemas, which check the values. */
const FLAGS = 'u';

/** The pattern as it is matched: like the attribute of HTML, it describes the whole text. */
const wholeOf = (pattern: string) => `^(?:${pattern})$`;

/** Why fields cannot be saved, apart from what their schema says; paths begin at the list, such as `[2].pattern`. */
export const savedFieldIssues = (fields: readonly FormField[]): FieldError[] =>
  fields.flatMap(({ pattern }, index) => {
    const problem = pattern === undefined ? null : patternProblem(pattern);
    return problem ? [{ field: `[${index}].pattern`, message: `cannot be used: ${problem}` }] : [];
  });

/** The pattern alone is checked first: `a)(b` is a pattern only inside the group. */
const patternProblem = (pattern: string): string | null =>
  (regexProblem(pattern, FLAGS) ?? regexProblem(wholeOf(pattern), FLAGS))?.message ?? null;

/** The values of a form that fit its fields, or the reasons why they do not. */
export type CheckedValues = { values: FieldValues; issues: null } | { values: null; issues: FieldError[] };

/**
 * Checks values against fields, and patterns in an evaluator process. `isPartial`: fields may be missing. Throws
 * EvaluationFailed if patterns cannot be checked now.
 */
export async function checkedValues(
  fields: readonly FormField[],
  given: FieldValues,
  { isPartial = false, ...purpose }: Purpose & { isPartial?: boolean },
): Promise<CheckedValues> {
  const issues = valueIssues(fields, given, { isPartial });
  if (issues.length > 0) return { values: null, issues };
  const values = storedValues(fields, given);
  const unmatched = await patternIssues(fields, values, purpose);
  return unmatched.length > 0 ? { values: null, issues: unmatched } : { values, issues: null };
}

async function patternIssues(
  fields: readonly FormField[],
  values: FieldValues,
  purpose: Purpose,
): Promise<FieldError[]> {
  const properties = fields.flatMap(({ name, pattern }) =>
    pattern === undefined || values[name] === undefined ? [] : [[name, { pattern: wholeOf(pattern) }] as const],
  );
  if (properties.length === 0) return [];
  const texts = Object.fromEntries(properties.map(([name]) => [name, values[name]]));
  const issues = await matchSchema({ properties: Object.fromEntries(properties) }, texts, purpose);
  // An issue of the whole value: the check took too long.
  return issues.map(({ field, message }) =>
    field === ''
      ? { field: properties[0]?.[0] ?? '', message }
      : { field: field.slice(1), message: 'does not have the expected format' },
  );
}
