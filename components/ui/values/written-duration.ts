/** Units of written durations in milliseconds, largest first. */
const DURATION_UNITS: readonly [name: string, ms: number, synonyms: readonly string[]][] = [
  ['d', 86_400_000, ['d', 'day', 'days']],
  ['h', 3_600_000, ['h', 'hr', 'hrs', 'hour', 'hours']],
  ['min', 60_000, ['min', 'm', 'mins', 'minute', 'minutes']],
  ['s', 1000, ['s', 'sec', 'secs', 'second', 'seconds']],
  ['ms', 1, ['ms', 'millisecond', 'milliseconds']],
];
const DURATION_PART_PATTERN = /(\d+(?:[.,]\d+)?)\s*([a-z]+)/gi;

/** A duration exactly, in all its units: "2 h 30 min", "1 s 500 ms". `ms`: a whole number, at least 0. */
export function formatExactDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [name, size] of DURATION_UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return parts.join(' ') || '0 s';
}

/**
 * The milliseconds of a written duration, such as "2 h 30 min", "90s" or "1.5 hours". A number without a unit counts
 * milliseconds. Undefined: it is no duration.
 */
export function parseDuration(text: string): number | undefined {
  const written = text.trim().toLowerCase();
  if (/^\d+$/.test(written)) return Number(written);
  if (written === '' || written.replace(DURATION_PART_PATTERN, '').trim() !== '') return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of written.matchAll(DURATION_PART_PATTERN)) {
    const size = DURATION_UNITS.find(([, , synonyms]) => synonyms.includes(unit))?.[1];
    if (size === undefined) return undefined;
    total += Number(amount.replace(',', '.')) * size;
  }
  return Math.round(total);
}
