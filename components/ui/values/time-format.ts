const RELATIVE_TIME_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relativeTimeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 minutes ago"; "just now" below a minute. Both in milliseconds since 1970. */
export function formatTimeAgo(then: number, now: number): string {
  const seconds = (then - now) / 1000;
  const unit = RELATIVE_TIME_UNITS.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? relativeTimeFormat.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}

/** A duration in its two largest units: "12 ms", "4.2 s", "3 min 5 s", "2 h 10 min", "3 d 4 h". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return joinTwoUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return joinTwoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.floor(minutes / 60);
  return joinTwoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

const joinTwoUnits = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`;

/** The milliseconds from one ISO timestamp to another, or to now. Undefined if nothing has started. */
export const elapsedMs = (startedAt: string | undefined, completedAt: string | undefined, now: number) =>
  startedAt === undefined
    ? undefined
    : Math.max(0, (completedAt ? Date.parse(completedAt) : now) - Date.parse(startedAt));
