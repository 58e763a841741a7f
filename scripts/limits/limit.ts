import type { WorkspaceTier } from '../../contract/tier';

/** One line of the table of limits. */
export interface Limit {
  /** What is limited. */
  limit: string;
  value: string;
  /** Who can change it; without: it is fixed. */
  by?: string;
  /** What happens beyond it: a status of the API, or the code of a failed node. */
  beyond: string;
}

/** Limits of one subject. */
export type Subject = [subject: string, limits: Limit[]];

const KIB = 1024;
const MIB = KIB * KIB;
const GIB = MIB * KIB;

/** `1,000`. */
export const writeCount = (number: number): string => number.toLocaleString('en');

/** `10 MiB`, in the largest unit that needs no fraction. */
export function writeBytes(number: number): string {
  for (const [unit, size] of [
    ['GiB', GIB],
    ['MiB', MIB],
    ['KiB', KIB],
  ] as const)
    if (number % size === 0) return `${writeCount(number / size)} ${unit}`;
  return `${writeCount(number)} bytes`;
}

/** `1 minute`, in the largest unit that needs no fraction. */
export function writeTime(ms: number): string {
  for (const [unit, size] of [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const)
    if (ms % size === 0) return `${writeCount(ms / size)} ${unit}${ms === size ? '' : 's'}`;
  return `${writeCount(ms)} ms`;
}

/** The values of all tiers: `free 50, starter 500, enterprise any`. */
export function writeTiers(
  limits: Readonly<Record<WorkspaceTier, number | null>>,
  write: (number: number) => string = writeCount,
): string {
  return (['free', 'starter', 'enterprise', 'unlimited'] as const)
    .map((tier) => `${tier} ${limits[tier] === null ? 'any' : write(limits[tier])}`)
    .join(', ');
}

export const TIER = 'operator: `npm run tier`';
export const nameVariable = (name: string): string => `operator: \`${name}\``;
export const SETTING = 'author: setting of the node';
