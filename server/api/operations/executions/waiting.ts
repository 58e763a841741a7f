import type { SignedInCall } from '@/server/api/operation/operation';
import type { WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallerRegistry } from '@/server/engine/queue/callers';

/** Seconds that a call may wait for the end of a run. */
export const MAX_WAIT_SECONDS = 60;
/** The header is a list of preferences, of which the first `wait` counts (RFC 7240). */
const PREFER_WAIT_PATTERN = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?=[,;]|$)/i;

/**
 * Reads the seconds of `Prefer: wait=<seconds>`. Returns null for none, or for a wait that cannot be met, which is
 * ignored (RFC 7240): a run that is stored in a transaction starts only after the call.
 */
export function preferredWaitSeconds({ headers, inTransaction }: SignedInCall): number | null {
  const header = headers.get('prefer');
  const [, digits] = (header !== null && !inTransaction && PREFER_WAIT_PATTERN.exec(header)) || [];
  const seconds = Number(digits ?? 0);
  return seconds >= 1 && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

/** Admits the caller to wait for the end of a run. Returns undefined if too many callers wait already. */
export const waitForRunEnd = (
  { caller, connection, rawBody }: SignedInCall,
  seconds: number,
): WaitingCaller | undefined =>
  waitingCallerRegistry().admit({
    workspaceId: caller.workspaceId,
    awaited: 'end',
    timeoutMs: seconds * 1000,
    bytes: rawBody.length,
    connection,
  });
