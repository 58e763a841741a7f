import { requireAccess } from '@/server/access/require';
import type { CustomReply, MemberAccess, Operation, SignedInCall } from '@/server/api/operation';
import type { Effect, JsonBody } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import { invalid } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { noteSender } from '@/server/evaluation/sender';
import { Entry } from '@/server/pipeline/steps/record';

/** An operation that members call, as far as a call within another call needs it. */
interface Permitted<Output> {
  id: string;
  path: string;
  access: MemberAccess;
  effect: Effect;
  body?: JsonBody;
  run(call: SignedInCall, input: { params: unknown; query: unknown; body: unknown }): Promise<Output>;
}

/** A call whose changes another one follows. */
export interface OuterCall extends SignedInCall {
  /** Called before each change. */
  beforeChange?(): Promise<void>;
}

interface Parts {
  params?: Record<string, string>;
  query?: object;
  body?: object;
}

/**
 * Performs an operation in the transaction of another call, with the rules of a call of its own: permission, schema, audit entry. It
 * is not counted by the rate limit. The precondition headers of the outer call do not apply.
 */
export async function within<Output>(
  call: OuterCall,
  operation: Permitted<Output>,
  { params = {}, query, body }: Parts,
): Promise<Exclude<Output, Response | CustomReply>> {
  const { access, effect, path } = operation;
  // An object that other connections do not see was created by this call: it is its caller's, as for a creation.
  const created = () => ({ createdBy: call.caller.userId, workflowId: params['id'] });
  await requireAccess(call.caller, { path, resource: access.resource, action: access.action }, params, created);
  if (body) noteSender(body, call.caller.workspaceId);
  const parsed = await operation.body?.schema.safeParseAsync(body ?? {}, { error: explain });
  if (parsed?.error) throw invalid(fieldErrors(parsed.error));
  const entry = new Entry(operation as unknown as Operation, { ...call, webhook: null }, { ...call, params });
  const headers = { get: () => null, has: () => false };
  const inner = { ...call, headers, note: entry.note.bind(entry), auditEntry: () => entry.row() };
  if (effect.kind === 'write') await call.beforeChange?.();
  const output = await operation.run(inner, { params, query, body: parsed?.data });
  if (effect.kind === 'write') await record(call.db, [entry.row()]);
  return output as Exclude<Output, Response | CustomReply>;
}
