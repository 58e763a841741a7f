import type { ServerCredential } from '@/server/network/pools/pool';
import { GROWTH_WORKSPACE } from '../hostile-server';

let count = 0;

/** A credential of its own for each call: a connection that is open already is none of it. */
export const serverCredential = (type: string, config: Record<string, unknown>): ServerCredential => ({
  id: `cred_growth_${(count += 1)}`,
  workspaceId: `${GROWTH_WORKSPACE}_${count}`,
  name: 'Growth',
  type,
  version: 1,
  config,
});
