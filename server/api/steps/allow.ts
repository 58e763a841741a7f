import { isAllowed } from '../../auth/permissions';
import type { Operation } from '../operation';
import { forbidden, unauthorized } from '../problem';
import type { Identity } from './identify';

/** Third step: may this caller do this? Throws 401, 403, or 404 for a workspace that is not the caller's. */
export function allow({ access }: Operation, { caller, refusal }: Identity): void {
  if (access === 'public') return;
  if (refusal) throw refusal;
  if (typeof access === 'string') return;
  if (!caller) throw unauthorized();
  if (!isAllowed(caller.permissions, access.resource, access.action)) {
    throw forbidden(`This needs the permission ${access.resource}:${access.action}.`);
  }
}
