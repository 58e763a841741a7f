import { requireAccess } from '@/server/access/require';
import { subjectOf, type Operation, type SignedInAccess } from '@/server/api/operation';
import { forbidden, notFound, unauthorized } from '@/server/errors/problem';
import type { Identity } from './identify';

const FIRST = {
  enrol: 'A second factor is required here: set one up at /auth/mfa first.',
  prove: 'This sign-in has not shown your second factor yet: PUT a code to /auth/mfa first.',
};

/**
 * Third step: checks the caller's permission on the object that the path names. Throws 401, 403, or 404 for a workspace that the caller is
 * no member of. The object is read only if the permission depends on it.
 */
export async function allow(operation: Operation, identity: Identity, params: Record<string, string>): Promise<void> {
  const { access, path } = operation;
  const { person, caller, refusal } = identity;
  // For public operations, a session of a workspace's provider counts as anonymous, because it is valid in that workspace only.
  const isStranger = !person || (person.onlyWorkspaceId !== null && person.sessionId !== null);
  if (access.kind === 'public' && (isStranger || access.callsAs !== 'person')) return;
  if (refusal) throw refusal;
  const { allowsUnenrolled, allowsLimited }: Partial<SignedInAccess> = access.kind === 'signed-in' ? access : {};
  if (identity.pendingFactor && !allowsUnenrolled) throw forbidden(FIRST[identity.pendingFactor]);
  const allowsSession = allowsLimited === true || (allowsLimited === 'session' && person?.sessionId);
  if (access.kind !== 'member' && person?.onlyWorkspaceId && !allowsSession) {
    throw forbidden('This needs a sign-in with your own account, not an API key or a workspace’s sign-in provider.');
  }
  if (access.kind !== 'member') return;
  if (!caller) throw unauthorized();
  const { resource, action, isFiltered } = access;
  await requireAccess(caller, { path, resource, action, isFiltered }, params, () => {
    throw notFound(`The ${subjectOf(operation)}`);
  });
}
