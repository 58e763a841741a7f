import type { Incoming } from '@/server/api/incoming';
import type { Operation } from '@/server/api/operation';
import type { Problem } from '@/server/errors/problem';
import type { Identity } from './identify';
import { userAgentOf } from './record';

/** Refuses a call before its handler. The webhook's owner still sees the delivery. */
export async function refuseCall(
  operation: Operation,
  { webhook }: Identity,
  { ipAddress, headers }: Incoming,
  problem: Problem,
): Promise<never> {
  const { access } = operation;
  if (webhook && access.kind === 'webhook')
    await access.recordRefused?.({ webhook, ipAddress, userAgent: userAgentOf(headers), headers, problem });
  throw problem;
}
