import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isEgressAllowed } from './egress';
import { nameResolver } from './names';

export const egressDeniedFailure = (host: string) =>
  new NodeFailure('EGRESS_DENIED', `${host} is not a public address; this service may not call it.`, false);

/** Throws EGRESS_DENIED for an address that is refused. Names are checked when they are resolved. */
export function requireAllowedIpAddress(host: string): void {
  if (isIP(host) !== 0 && !isEgressAllowed(host, host)) throw egressDeniedFailure(host);
}

/**
 * The addresses of a host that may be called. Connect to these only, which prevents DNS rebinding. Throws EGRESS_DENIED
 * if there are none.
 */
export async function resolveAllowedAddresses(workspaceId: string, host: string): Promise<LookupAddress[]> {
  const found = await nameResolver().lookUp(workspaceId, host);
  const allowed = found.filter(({ address }) => isEgressAllowed(address, host));
  if (allowed.length === 0) throw egressDeniedFailure(host);
  return allowed;
}

/** Resolves names on behalf of a workspace. */
export const createWorkspaceLookup =
  (workspaceId: string): LookupFunction =>
  (hostname, { all, family }, callback) => {
    resolveAllowedAddresses(workspaceId, hostname)
      .then((allowed) => {
        const matching = allowed.filter((one) => (family === 4 || family === 6 ? one.family === family : true));
        const [first] = matching.length > 0 ? matching : allowed;
        if (!first) throw egressDeniedFailure(hostname);
        // Like `dns.lookup`: errors thrown by the callback are not caught here.
        process.nextTick(() => (all ? callback(null, allowed) : callback(null, first.address, first.family)));
      })
      .catch((error: NodeJS.ErrnoException) => process.nextTick(() => callback(error, all ? [] : '', 0)));
  };
