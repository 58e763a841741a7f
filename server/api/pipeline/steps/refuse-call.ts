import type { IncomingCall } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';
import type { ApiProblem } from '@/server/platform/errors/problem';
import type { CallIdentity } from './identify';
import { readUserAgent } from './record';

/** Refuses a call before its handler. The webhook's owner still sees the delivery. */
export async function refuseBeforeHandler(
  operation: OperationRecord,
  { webhook }: CallIdentity,
  { ipAddress, headers }: IncomingCall,
  problem: ApiProblem,
): Promise<never> {
  const { access } = operation;
  if (webhook && access.kind === 'webhook')
    await access.recordRefused?.({ webhook, ipAddress, userAgent: readUserAgent(headers), headers, problem });
  throw problem;
}
