import { formatDuration, elapsedMs } from './time-format';
import { useCurrentTime } from './useCurrentTime';

/** A duration; counts up while there is no end. */
export function RunningDuration({
  startedAt,
  completedAt,
  isTicking,
}: {
  startedAt?: string;
  completedAt?: string;
  isTicking: boolean;
}) {
  const now = useCurrentTime(200, isTicking && startedAt !== undefined && completedAt === undefined);
  const ms = completedAt || isTicking ? elapsedMs(startedAt, completedAt, now) : undefined;
  return ms === undefined ? null : <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatDuration(ms)}</span>;
}
