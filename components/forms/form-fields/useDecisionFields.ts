import { useState } from 'react';
import type { ApprovalDecision } from '@/contract/approval';
import type { FormFieldValues, FormField } from '@/contract/triggers/form-fields';
import { splitFieldErrors } from '@/components/client/field-errors';
import { toSubmittedData, fieldValueErrors, type EnteredFieldValues } from './entered-values';

const DECISION_DATA_PREFIX = 'data.';
const EMPTY_DECISION_ERRORS: ReadonlyMap<string, string> = new Map();

/** The state of the fields of an approval: what is entered, and the errors beside the fields. */
export function useDecisionFields(fields: readonly FormField[]) {
  const [entered, setEntered] = useState<EnteredFieldValues>({});
  const [errors, setErrors] = useState(EMPTY_DECISION_ERRORS);

  /** The data to send with the decision. Null if the values are invalid; then the errors are shown. */
  function take(decision: ApprovalDecision): { data?: FormFieldValues } | null {
    if (fields.length === 0) return {};
    const data = toSubmittedData(fields, entered);
    const found = fieldValueErrors(fields, data, decision === 'rejected');
    setErrors(found);
    return found.size === 0 ? { data } : null;
  }

  /** Shows the errors of a refusal at their fields. Returns whether there were any. */
  function refuse(error: unknown): boolean {
    const isField = (field: string) => fields.some(({ name }) => field === DECISION_DATA_PREFIX + name);
    const { at } = splitFieldErrors(error, isField);
    setErrors(new Map([...at].map(([field, message]) => [field.slice(DECISION_DATA_PREFIX.length), message])));
    return at.size > 0;
  }

  return { entered, errors, setEntered, take, refuse };
}
