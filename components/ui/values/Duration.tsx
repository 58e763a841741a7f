import { duration, elapsed } from './time';
import { useNow } from './useNow';

/** A duration; counts up while there is no end. */
export function Duration({
  startedAt,
  completedAt,
  isTicking,
}: {
  startedAt?: string;
  completedAt?: string;
  isTicking: boolean;
}) {
  const now = useNow(200, isTicking && startedAt !== undefined && completedAt === undefined);
  const ms = completedAt || isTicking ? elapsed(startedAt, completedAt, now) : undefined;
  return ms === undefined ? null : <span style={{ fontVariantNumeric: 'tabular-nums' }}>{duration(ms)}</span>;
}
