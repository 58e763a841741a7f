import { useState } from 'react';
import type { DecisionWord } from '@/contract/execution';
import type { FieldValues, FormField } from '@/contract/triggers/form-fields';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { dataOf, errorsIn, type Entered } from './entered';

const PREFIX = 'data.';
const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** The state of the fields of an approval: what is entered, and the errors beside the fields. */
export function useDecisionFields(fields: readonly FormField[]) {
  const [entered, setEntered] = useState<Entered>({});
  const [errors, setErrors] = useState(NO_ERRORS);

  /** What to send with the decision; `null`: it does not fit, and the errors are shown. */
  function take(decision: DecisionWord): { data?: FieldValues } | null {
    if (fields.length === 0) return {};
    const data = dataOf(fields, entered);
    const found = errorsIn(fields, data, decision === 'rejected');
    setErrors(found);
    return found.size === 0 ? { data } : null;
  }

  /** Shows the errors of a refusal at their fields. Returns whether there were any. */
  function refuse(error: unknown): boolean {
    const isField = (field: string) => fields.some(({ name }) => field === PREFIX + name);
    const { at } = fieldErrorsOf(error, isField);
    setErrors(new Map([...at].map(([field, message]) => [field.slice(PREFIX.length), message])));
    return at.size > 0;
  }

  return { entered, errors, setEntered, take, refuse };
}
