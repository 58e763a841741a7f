import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { YieldTimer } from '@/server/platform/timers/cooperative';

/** After how many values the clock is read. */
const VALUES_PER_CLOCK_READ = 500;

const isKeyedObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A large output stays text until something looks into it. */
const readJson = (value: unknown): unknown => (value instanceof LargeJsonText ? parseStoredJson(value.text) : value);

/**
 * Compares two values of JSON in turns with other work, because both may have a hundred thousand fields.
 *
 * @param isExact false: objects of `actual` may have further fields.
 */
async function compareJson(expected: unknown, actual: unknown, isExact: boolean): Promise<boolean> {
  if (expected instanceof LargeJsonText && actual instanceof LargeJsonText && expected.text === actual.text)
    return true;
  const timer = new YieldTimer();
  const isTurnOver = (count: number) => count % VALUES_PER_CLOCK_READ === 0 && timer.isDue;
  const pairs: [unknown, unknown][] = [[await readJson(expected), await readJson(actual)]];
  for (let count = 1; pairs.length > 0; count += 1) {
    if (isTurnOver(count)) await timer.take();
    const [one, other] = pairs.pop() ?? [];
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || other.length !== one.length) return false;
      for (let at = one.length - 1; at >= 0; at -= 1) pairs.push([one[at], other[at]]);
    } else if (isKeyedObject(one)) {
      if (!isKeyedObject(other)) return false;
      const names = Object.keys(one);
      if (isExact && Object.keys(other).length !== names.length) return false;
      for (const [at, name] of names.entries()) {
        if (isTurnOver(at)) await timer.take();
        if (!Object.hasOwn(other, name)) return false;
        pairs.push([one[name], other[name]]);
      }
    } else if (!Object.is(one, other)) return false;
  }
  return true;
}

/** Whether a value contains what is expected: objects may have further fields, everything else must be equal. */
export const containsExpectedJson = (expected: unknown, actual: unknown): Promise<boolean> =>
  compareJson(expected, actual, false);

/** Whether two values of JSON are equal; the order of fields does not count. */
export const isEqualJson = (one: unknown, other: unknown): Promise<boolean> => compareJson(one, other, true);
