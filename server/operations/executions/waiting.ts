import type { SignedInCall } from '@/server/api/operation';
import type { WaitingCaller } from '@/server/engine/answers/waiting-caller';
import { waitingCallers } from '@/server/engine/queue/callers';

/** Seconds that a call may wait for the end of a run. */
export const MAX_WAIT_SECONDS = 60;
/** RFC 7240: a list of preferences, of which the first `wait` counts. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?=[,;]|$)/i;

/**
 * The seconds of `Prefer: wait=<seconds>`; null: none, or none that can be met, which is ignored (RFC 7240). A run that is stored by a
 * transaction starts only after the call.
 */
export function preferredWait({ headers, inTransaction }: SignedInCall): number | null {
  const header = headers.get('prefer');
  const [, digits] = (header !== null && !inTransaction && WAIT.exec(header)) || [];
  const seconds = Number(digits ?? 0);
  return seconds >= 1 && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

/** The caller as one that waits for the end of a run; undefined: too many wait already. */
export const waitForEnd = ({ caller, connection, rawBody }: SignedInCall, seconds: number): WaitingCaller | undefined =>
  waitingCallers().admit({
    workspaceId: caller.workspaceId,
    awaited: 'end',
    timeoutMs: seconds * 1000,
    bytes: rawBody.length,
    connection,
  });
