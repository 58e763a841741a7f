import { areEqual } from '../nodes/paths';

export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Whether a value counts as true: nothing and what is empty do not. */
export const isTrue = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0) &&
  !(isFields(value) && Object.keys(value).length === 0);
const isEqual = (one: unknown, other: unknown): boolean => areEqual(one ?? null, other ?? null);

/** Orders are as JavaScript has them, also of texts such as dates. */
export const PATH_COMPARISONS: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '==': isEqual,
  '!=': (one, other) => !isEqual(one, other),
  '<': (one, other) => (one as never) < (other as never),
  '<=': (one, other) => (one as never) <= (other as never),
  '>': (one, other) => (one as never) > (other as never),
  '>=': (one, other) => (one as never) >= (other as never),
};

/** A part of a list, as in Python. */
export function sliceList(
  list: unknown[],
  first: number | undefined,
  end: number | undefined,
  step: number,
): unknown[] {
  const place = (given: number | undefined, otherwise: number, least: number, most: number) =>
    given === undefined ? otherwise : Math.min(Math.max(given < 0 ? given + list.length : given, least), most);
  const isForward = step > 0;
  const from = isForward ? place(first, 0, 0, list.length) : place(first, list.length - 1, -1, list.length - 1);
  const to = isForward ? place(end, list.length, 0, list.length) : place(end, -1, -1, list.length - 1);
  const found: unknown[] = [];
  for (let at = from; isForward ? at < to : at > to; at += step) found.push(list[at]);
  return found;
}
