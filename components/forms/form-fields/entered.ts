import { valueIssues, type FieldValues, type FormField } from '@/contract/triggers/form-fields';

/** The values as entered: dates with a time are local and have no offset. */
export type Entered = FieldValues;

/** The entered values as they are sent: empty ones are left out, times are in UTC. */
export function dataOf(fields: readonly FormField[], entered: Entered): FieldValues {
  const entries = fields.flatMap(({ name, kind }): [string, unknown][] => {
    const value = entered[name];
    if (value === undefined || value === null || value === '') return [];
    if (kind !== 'datetime') return [[name, value]];
    const at = new Date(String(value));
    return [[name, Number.isNaN(at.getTime()) ? value : at.toISOString()]];
  });
  return Object.fromEntries(entries);
}

/** Messages by the names of fields. `isPartial`: fields may be missing. */
export const errorsIn = (
  fields: readonly FormField[],
  data: FieldValues,
  isPartial: boolean,
): ReadonlyMap<string, string> =>
  new Map(valueIssues(fields, data, { isPartial }).map(({ field, message }) => [field, message]));
