import { covers, permits } from '../../auth/conditions';
import { subjectAt } from '../../auth/objects';
import { isAllowed } from '../../auth/permissions';
import { subjectOf, type Operation } from '../operation';
import { forbidden, notFound, unauthorized } from '../problem';
import type { Identity } from './identify';

const FIRST = {
  enrol: 'A second factor is required here: set one up at /auth/mfa first.',
  prove: 'This sign-in has not shown your second factor yet: PUT a code to /auth/mfa first.',
};

/**
 * Third step: may this caller do this, on the object that the path names? Throws 401, 403, or 404 for a workspace that
 * is not the caller's. The object is looked at only by those whose permission depends on it.
 */
export async function allow(operation: Operation, identity: Identity, params: Record<string, string>): Promise<void> {
  const { access, path } = operation;
  const { person, caller, refusal } = identity;
  if (access === 'public' && !(operation.usesPerson && person)) return;
  if (refusal) throw refusal;
  if (identity.pendingFactor && !operation.allowsUnenrolled) throw forbidden(FIRST[identity.pendingFactor]);
  const isWelcome = operation.allowsLimited === true || (operation.allowsLimited === 'session' && person?.sessionId);
  if (typeof access === 'string' && person?.onlyWorkspaceId && !isWelcome) {
    throw forbidden('This needs a sign-in with your own account, not an API key or a workspace’s sign-in provider.');
  }
  if (typeof access === 'string') return;
  if (!caller) throw unauthorized();
  const { resource, action } = access;
  const { permissions } = caller;
  if (isAllowed(permissions, resource, action)) return;
  const refused = forbidden(`This needs the permission ${resource}:${action}.`);
  if (!permissions.some((held) => covers(held, resource, action))) throw refused;
  if (operation.isFiltered) return;
  const subject = await subjectAt({ path, resource, action }, params, caller);
  if (subject === 'missing') throw notFound(`The ${subjectOf(operation)}`);
  if (!subject || !permissions.some((held) => permits(held, resource, action, caller, subject))) throw refused;
}
