import type { DecisionWord } from '@/contract/execution';
import type { FieldValues } from '@/contract/triggers/form-fields';
import type { Approval } from '@/server/engine/attempt/approvals';
import { invalid, invalidField } from '@/server/errors/problem';
import { checkedValues } from '@/server/forms/fields';

/**
 * The values of a decision, checked against the fields that the approval asks for. Throws for values that do not fit. A
 * rejection may leave fields out.
 */
export async function dataOf(
  { fields, workspaceId }: Pick<Approval, 'fields' | 'workspaceId'>,
  decision: DecisionWord,
  data: FieldValues | undefined,
): Promise<FieldValues | undefined> {
  if (fields.length === 0) {
    if (data !== undefined) throw invalidField('data', 'must be left out: the approval asks for no fields');
    return undefined;
  }
  const checked = await checkedValues(fields, data ?? {}, { workspaceId, isPartial: decision === 'rejected' });
  if (checked.issues) throw invalid(checked.issues.map(({ field, message }) => ({ field: `data.${field}`, message })));
  return checked.values;
}
