import type { ClaimedRun } from '../queue/claim';

/** The worker keeps a run during waits up to this time; for longer waits it releases the run. */
const MAX_KEPT_WAIT_MS = 1000;

export const isPastDeadline = ({ deadlineAt }: ClaimedRun): boolean =>
  deadlineAt !== null && deadlineAt.getTime() <= Date.now();

/** The sooner of a time and the run's deadline; null: neither is set. */
export function capAtDeadline({ deadlineAt }: ClaimedRun, time: Date | null): Date | null {
  if (time === null || deadlineAt === null) return time ?? deadlineAt;
  return time < deadlineAt ? time : deadlineAt;
}

/**
 * Compares with the later of the two clocks: a time reached by the database's clock only must not cause a release-claim
 * cycle.
 */
export const isLongWait = ({ claimedAt }: ClaimedRun, wakeAt: Date | null): boolean =>
  wakeAt === null || wakeAt.getTime() - Math.max(Date.now(), claimedAt.getTime()) > MAX_KEPT_WAIT_MS;
