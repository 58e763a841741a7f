import { YieldTimer } from '@/server/platform/timers/cooperative';

/** Whether a value is nested deeper than so many levels. Iterative: hostile nesting would overflow the stack. */
export async function isNestedDeeper(value: unknown, most: number): Promise<boolean> {
  const timer = new YieldTimer();
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const next: unknown[] = [];
    for (const each of level) {
      if (timer.isDue) await timer.take();
      if (typeof each !== 'object' || each === null) continue;
      for (const inner of Object.values(each)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}
