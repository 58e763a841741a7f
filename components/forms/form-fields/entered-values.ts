import { validateFieldValues, type FormFieldValues, type FormField } from '@/contract/triggers/form-fields';

/** The values as entered: dates with a time are local and have no offset. */
export type EnteredFieldValues = FormFieldValues;

/** The entered values as they are sent: empty ones are left out, times are in UTC. */
export function toSubmittedData(fields: readonly FormField[], entered: EnteredFieldValues): FormFieldValues {
  const entries = fields.flatMap(({ name, kind }): [string, unknown][] => {
    const value = entered[name];
    if (value === undefined || value === null || value === '') return [];
    if (kind !== 'datetime') return [[name, value]];
    const at = new Date(String(value));
    return [[name, Number.isNaN(at.getTime()) ? value : at.toISOString()]];
  });
  return Object.fromEntries(entries);
}

/** Messages by the names of invalid fields. If `isPartial`, fields may be missing. */
export const fieldValueErrors = (
  fields: readonly FormField[],
  data: FormFieldValues,
  isPartial: boolean,
): ReadonlyMap<string, string> =>
  new Map(validateFieldValues(fields, data, { isPartial }).map(({ field, message }) => [field, message]));
