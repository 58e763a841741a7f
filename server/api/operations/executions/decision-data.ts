import type { ApprovalDecision } from '@/contract/approval';
import type { FormFieldValues } from '@/contract/triggers/form-fields';
import type { ReachedApproval } from '@/server/engine/attempt/approvals';
import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { checkFormValues } from '@/server/workflow/forms/fields';

/**
 * The values of a decision, checked against the fields that the approval asks for. Throws for values that do not fit. A
 * rejection may leave fields out.
 */
export async function checkDecisionData(
  { fields, workspaceId }: Pick<ReachedApproval, 'fields' | 'workspaceId'>,
  decision: ApprovalDecision,
  data: FormFieldValues | undefined,
): Promise<FormFieldValues | undefined> {
  if (fields.length === 0) {
    if (data !== undefined) throw invalidFieldProblem('data', 'must be left out: the approval asks for no fields');
    return undefined;
  }
  const checked = await checkFormValues(fields, data ?? {}, { workspaceId, isPartial: decision === 'rejected' });
  if (checked.issues)
    throw invalidRequestProblem(checked.issues.map(({ field, message }) => ({ field: `data.${field}`, message })));
  return checked.values;
}
