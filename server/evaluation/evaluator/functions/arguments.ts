/**
 * A call of a function with arguments that it does not accept. The message is shown to the author of the expression.
 */
export class InvalidCallError extends Error {}

/** A text of limited length. `what` names the argument. */
export function requireTextArgument(value: unknown, what: string, maxLength = Infinity): string {
  if (typeof value !== 'string') throw new InvalidCallError(`${what} must be a text, not ${describeValueType(value)}`);
  if (value.length > maxLength) throw new InvalidCallError(`${what} may have at most ${maxLength} characters`);
  return value;
}

/** One of the words; undefined gives the default. */
export function requireChoice<Word extends string>(
  value: unknown,
  words: readonly Word[],
  what: string,
  standard: Word,
): Word {
  if (value === undefined) return standard;
  const word = words.find((one) => one === value);
  if (!word) throw new InvalidCallError(`${what} must be one of ${words.join(', ')}`);
  return word;
}

/** The kind of a value in words. */
export const describeValueType = (value: unknown): string =>
  value === null ? 'null' : value === undefined ? 'missing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
