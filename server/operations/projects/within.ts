import type { z } from 'zod';
import type { Action, Resource } from '@/contract/access/security';
import { can, covers } from '@/server/access/conditions';
import { isAllowed } from '@/server/access/permissions';
import { subjectAt } from '@/server/access/subjects';
import type { CustomReply, Operation, SignedInCall } from '@/server/api/operation';
import { record } from '@/server/audit/record';
import { forbidden, invalid } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { noteSender } from '@/server/evaluation/sender';
import { Entry } from '@/server/pipeline/steps/record';

/** An operation that members call, as far as a call within another call needs it. */
interface Permitted<Output> {
  id: string;
  path: string;
  access: { resource: Resource; action: Action };
  effect: string;
  audit?: unknown;
  body?: z.ZodType;
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
 * Throws 403 unless the caller may do this. An object that other connections do not see was created by this call: it is its caller's, as
 * for a creation.
 */
async function requirePermission(
  { access, path }: Permitted<unknown>,
  params: Record<string, string>,
  call: SignedInCall,
) {
  const { resource, action } = access;
  const { caller } = call;
  if (isAllowed(caller.permissions, resource, action)) return;
  const denial = forbidden(`This needs the permission ${resource}:${action}.`);
  if (!caller.permissions.some((permission) => covers(permission, resource, action))) throw denial;
  const found = await subjectAt({ path, resource, action }, params, caller);
  const subject = found === 'missing' ? { createdBy: caller.userId, workflowId: params['id'] } : found;
  if (!subject || !can(caller, action, resource, subject)) throw denial;
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
  await requirePermission(operation, params, call);
  if (body) noteSender(body, call.caller.workspaceId);
  const parsed = await operation.body?.safeParseAsync(body ?? {}, { error: explain });
  if (parsed?.error) throw invalid(fieldErrors(parsed.error));
  const entry = new Entry(operation as unknown as Operation, { ...call, webhook: null }, { ...call, params });
  const headers = { get: () => null, has: () => false };
  const inner = { ...call, headers, note: entry.note.bind(entry), auditEntry: () => entry.row() };
  if (operation.effect === 'write') await call.beforeChange?.();
  const output = await operation.run(inner, { params, query, body: parsed?.data });
  if (operation.effect === 'write' && operation.audit) await record(call.db, [entry.row()]);
  return output as Exclude<Output, Response | CustomReply>;
}
