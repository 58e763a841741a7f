import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@/contract/units';
import type { N8nObject } from '../file';
import type { ItemConversion } from './item-conversion';

/** Milliseconds of the units of times to wait. */
export const WAIT_UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1000,
  minutes: MS_PER_MINUTE,
  hours: MS_PER_HOUR,
  days: MS_PER_DAY,
};
export const MAX_WAIT_MS = 365 * MS_PER_DAY;

/** How long something is awaited, of the parameters of a limit; undefined: it is to enter. */
export function readWaitLimit(
  conversion: ItemConversion,
  { limitType = 'afterTimeInterval', resumeAmount, resumeUnit }: N8nObject,
  [amount, unit]: readonly [amount: number, unit: string],
): number | undefined {
  const ms = Math.round(Number(resumeAmount ?? amount) * (WAIT_UNIT_MS[String(resumeUnit ?? unit)] ?? 0));
  if (limitType === 'afterTimeInterval' && ms >= 1 && ms <= MAX_WAIT_MS) return ms;
  conversion.addTodo('Enter how long it waits at most: in n8n until a date, or for a time that is computed.');
  return undefined;
}
