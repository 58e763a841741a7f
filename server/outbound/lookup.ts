import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { NodeFailure } from '@/server/errors/node-failure';
import { names } from './names';

export const denied = (host: string) =>
  new NodeFailure('EGRESS_DENIED', `${host} is not a public address; this service may not call it.`, false);

/** Resolves names on behalf of a workspace. */
export const lookupFor =
  (workspaceId: string, allowed: (address: LookupAddress) => boolean): LookupFunction =>
  (hostname, { all, family }, callback) => {
    names()
      .lookUp(workspaceId, hostname)
      .then((found) => {
        // Connects to the checked address only, which prevents DNS rebinding.
        const open = found.filter(allowed);
        const matching = open.filter((one) => (family === 4 || family === 6 ? one.family === family : true));
        const [first] = matching.length > 0 ? matching : open;
        if (!first) throw denied(hostname);
        // Like `dns.lookup`: errors thrown by the callback are not caught here.
        process.nextTick(() => (all ? callback(null, open) : callback(null, first.address, first.family)));
      })
      .catch((error: NodeJS.ErrnoException) => process.nextTick(() => callback(error, all ? [] : '', 0)));
  };
