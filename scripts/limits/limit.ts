import type { Tier } from '../../contract/tier';

/** One line of the table of limits. */
export interface Limit {
  /** What is limited. */
  limit: string;
  value: string;
  /** Who can change it; without: nobody. */
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
export const count = (number: number): string => number.toLocaleString('en');

/** `10 MiB`, in the largest unit that needs no fraction. */
export function bytes(number: number): string {
  for (const [unit, size] of [['GiB', GIB], ['MiB', MIB], ['KiB', KIB]] as const)
    if (number % size === 0) return `${count(number / size)} ${unit}`;
  return `${count(number)} bytes`;
}

/** `1 minute`, in the largest unit that needs no fraction. */
export function time(ms: number): string {
  for (const [unit, size] of [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1000]] as const)
    if (ms % size === 0) return `${count(ms / size)} ${unit}${ms === size ? '' : 's'}`;
  return `${count(ms)} ms`;
}

/** The values of all tiers: `free 50, starter 500, enterprise no limit`. */
export function byTier(limits: Readonly<Record<Tier, number | null>>, write: (number: number) => string = count): string {
  return (['free', 'starter', 'enterprise', 'unlimited'] as const)
    .map((tier) => `${tier} ${limits[tier] === null ? 'no limit' : write(limits[tier])}`)
    .join(', ');
}

export const TIER = 'operator: `npm run tier`';
export const variable = (name: string): string => `operator: \`${name}\``;
export const SETTING = 'author: setting of the node';
