import { requireOperationAccess } from '@/server/people/access/require';
import { operationSubject, type OperationRecord, type SignedInAccess } from '@/server/api/operation/operation';
import { forbiddenProblem, notFoundProblem, unauthorizedProblem } from '@/server/platform/errors/problem';
import type { CallIdentity } from './identify';

const PENDING_FACTOR_MESSAGES = {
  enrol: 'A second factor is required here: set one up at /auth/mfa first.',
  prove: 'This sign-in has not shown your second factor yet: PUT a code to /auth/mfa first.',
};

/**
 * Third step: checks the caller's permission on the object that the path names. Throws 401, 403, or 404 for a workspace
 * that the caller is no member of. The object is read only if the permission depends on it.
 */
export async function requireCallAccess(
  operation: OperationRecord,
  identity: CallIdentity,
  params: Record<string, string>,
): Promise<void> {
  const { access, path } = operation;
  const { person, caller, refusal } = identity;
  // For public operations, a session of a workspace's provider counts as anonymous, because it is valid in that
  // workspace only.
  const isStranger = !person || (person.onlyWorkspaceId !== null && person.sessionId !== null);
  if (access.kind === 'public' && (isStranger || access.callsAs !== 'person')) return;
  if (refusal) throw refusal;
  const { allowsUnenrolled, allowsLimited }: Partial<SignedInAccess> = access.kind === 'signed-in' ? access : {};
  if (identity.pendingFactor && !allowsUnenrolled)
    throw forbiddenProblem(PENDING_FACTOR_MESSAGES[identity.pendingFactor]);
  const allowsSession = allowsLimited === true || (allowsLimited === 'session' && person?.sessionId);
  if (access.kind !== 'member' && person?.onlyWorkspaceId && !allowsSession) {
    throw forbiddenProblem(
      'This needs a sign-in with your own account, not an API key or a workspace’s sign-in provider.',
    );
  }
  if (access.kind !== 'member') return;
  if (!caller) throw unauthorizedProblem();
  const { resource, action, isFiltered, or } = access;
  await requireOperationAccess(caller, { path, resource, action, isFiltered, or }, params, () => {
    throw notFoundProblem(`The ${operationSubject(operation)}`);
  });
}
