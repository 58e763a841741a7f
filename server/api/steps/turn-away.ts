import type { Incoming } from '../incoming';
import type { Operation } from '../operation';
import type { Problem } from '../problem';
import type { Identity } from './identify';
import { userAgentOf } from './record';

/** Refuses a call that its handler will not see. A webhook's owner hears of it all the same. */
export async function turnAway(
  operation: Operation,
  { webhook }: Identity,
  { ipAddress, headers }: Incoming,
  problem: Problem,
): Promise<never> {
  if (webhook) await operation.turnedAway?.({ webhook, ipAddress, userAgent: userAgentOf(headers), problem });
  throw problem;
}
