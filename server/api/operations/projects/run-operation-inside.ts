import { requireOperationAccess } from '@/server/people/access/require';
import type { CustomResponse, MemberAccess, OperationRecord, SignedInCall } from '@/server/api/operation/operation';
import type { DatabaseEffect, JsonBody } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { recordBodySender } from '@/server/evaluation/evaluator/body-sender';
import { CallAuditEntry } from '@/server/api/pipeline/steps/record';

/** The members of an operation that are needed to run it inside another call. */
interface MemberOperation<Output> {
  id: string;
  path: string;
  access: MemberAccess;
  effect: DatabaseEffect;
  body?: JsonBody;
  run(call: SignedInCall, input: { params: unknown; query: unknown; body: unknown }): Promise<Output>;
}

/** A call that runs further operations and is told before each change. */
export interface EnclosingCall extends SignedInCall {
  /** Called before each change. */
  beforeChange?(): Promise<void>;
}

interface InnerOperationInput {
  params?: Record<string, string>;
  query?: object;
  body?: object;
}

/**
 * Performs an operation in the transaction of another call, with the rules of a call of its own: permission, schema,
 * audit entry. It is not counted by the rate limit. The precondition headers of the outer call do not apply.
 */
export async function runOperationInside<Output>(
  call: EnclosingCall,
  operation: MemberOperation<Output>,
  { params = {}, query, body }: InnerOperationInput,
): Promise<Exclude<Output, Response | CustomResponse>> {
  const { access, effect, path } = operation;
  // An object that other connections do not see yet was created by this call, so it counts as the caller's own.
  const created = () => ({ createdBy: call.caller.userId, workflowId: params['id'] });
  await requireOperationAccess(
    call.caller,
    { path, resource: access.resource, action: access.action },
    params,
    created,
  );
  if (body) recordBodySender(body, call.caller.workspaceId);
  const parsed = await operation.body?.schema.safeParseAsync(body ?? {}, { error: explainMissingValue });
  if (parsed?.error) throw invalidRequestProblem(toFieldErrors(parsed.error));
  const entry = new CallAuditEntry(
    operation as unknown as OperationRecord,
    { ...call, webhook: null },
    { ...call, params },
  );
  const headers = { get: () => null, has: () => false };
  const inner = { ...call, headers, note: entry.note.bind(entry), auditEntry: () => entry.row() };
  if (effect.kind === 'write') await call.beforeChange?.();
  const output = await operation.run(inner, { params, query, body: parsed?.data });
  if (effect.kind === 'write') await appendAuditEntries(call.db, [entry.row()]);
  return output as Exclude<Output, Response | CustomResponse>;
}
