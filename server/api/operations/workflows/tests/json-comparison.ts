import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { YieldTimer } from '@/server/platform/timers/cooperative';

/** After how many values the clock is read. */
const VALUES_PER_CLOCK_READ = 500;

const isKeyedObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A large output stays text until something looks into it. */
const readJson = (value: unknown): unknown => (value instanceof LargeJsonText ? parseStoredJson(value.text) : value);

/** Where a value stands: the name or number of its last step, and where the value around it stands. */
interface ComparedPlace {
  around: ComparedPlace | undefined;
  step: string | number;
}

/** The first place at which two values differ. */
export interface JsonDifference {
  /** Such as `[0].name`; empty: the whole values. */
  path: string;
  /** Absent: there is no value. */
  expected?: unknown;
  actual?: unknown;
}

function writePlacePath(place: ComparedPlace | undefined): string {
  const steps: string[] = [];
  for (let at = place; at; at = at.around) {
    const { step } = at;
    const isName = typeof step === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]{0,200}$/u.test(step);
    steps.push(isName ? `.${step}` : `[${JSON.stringify(step)}]`);
  }
  return steps.toReversed().join('').replace(/^\./, '');
}

/**
 * Compares two values of JSON in turns with other work, because both may have a hundred thousand fields.
 *
 * @param isExact false: objects of `actual` may have further fields.
 */
async function compareJson(expected: unknown, actual: unknown, isExact: boolean): Promise<JsonDifference | undefined> {
  if (expected instanceof LargeJsonText && actual instanceof LargeJsonText && expected.text === actual.text)
    return undefined;
  const timer = new YieldTimer();
  const isTurnOver = (count: number) => count % VALUES_PER_CLOCK_READ === 0 && timer.isDue;
  const pairs: [unknown, unknown, ComparedPlace | undefined][] = [
    [await readJson(expected), await readJson(actual), undefined],
  ];
  for (let count = 1; pairs.length > 0; count += 1) {
    if (isTurnOver(count)) await timer.take();
    const [one, other, place] = pairs.pop() ?? [];
    const differ = (
      step?: string | number,
      values: Omit<JsonDifference, 'path'> = { expected: one, actual: other },
    ) => ({
      path: writePlacePath(step === undefined ? place : { around: place, step }),
      ...values,
    });
    if (Array.isArray(one)) {
      if (!Array.isArray(other)) return differ();
      if (other.length !== one.length) return differ('length', { expected: one.length, actual: other.length });
      for (let at = one.length - 1; at >= 0; at -= 1) pairs.push([one[at], other[at], { around: place, step: at }]);
    } else if (isKeyedObject(one)) {
      if (!isKeyedObject(other)) return differ();
      const names = Object.keys(one);
      for (const [at, name] of names.entries()) {
        if (isTurnOver(at)) await timer.take();
        if (!Object.hasOwn(other, name)) return differ(name, { expected: one[name] });
        pairs.push([one[name], other[name], { around: place, step: name }]);
      }
      const further = isExact ? Object.keys(other) : names;
      if (further.length === names.length) continue;
      const [name = ''] = further.filter((each) => !Object.hasOwn(one, each));
      return differ(name, { actual: other[name] });
    } else if (!Object.is(one, other)) return differ();
  }
  return undefined;
}

/** Whether a value contains what is expected: objects may have further fields, everything else must be equal. */
export const containsExpectedJson = async (expected: unknown, actual: unknown): Promise<boolean> =>
  (await compareJson(expected, actual, false)) === undefined;

/** Whether two values of JSON are equal; the order of fields does not count. */
export const isEqualJson = async (one: unknown, other: unknown): Promise<boolean> =>
  (await findJsonDifference(one, other)) === undefined;

/** The first place at which two values of JSON differ; undefined: they are equal. */
export const findJsonDifference = (expected: unknown, actual: unknown): Promise<JsonDifference | undefined> =>
  compareJson(expected, actual, true);

/** The items of an output: a value that is no list is one item. Files are not compared. */
export async function readComparedItems(output: unknown): Promise<unknown[]> {
  const value = await readJson(output);
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (!isKeyedObject(item) || !Object.hasOwn(item, '$files')) return item;
    const { $files: _, ...fields } = item;
    return fields;
  });
}
