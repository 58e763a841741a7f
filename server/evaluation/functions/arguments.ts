/** A call of a function with arguments that it does not accept. The message is shown to the author of the expression. */
export class InvalidCall extends Error {}

/** A text of limited length. `what` names the argument. */
export function textOf(value: unknown, what: string, maxLength = Infinity): string {
  if (typeof value !== 'string') throw new InvalidCall(`${what} must be a text, not ${kindOf(value)}`);
  if (value.length > maxLength) throw new InvalidCall(`${what} may have at most ${maxLength} characters`);
  return value;
}

/** One of the words; undefined gives the default. */
export function wordOf<Word extends string>(
  value: unknown,
  words: readonly Word[],
  what: string,
  standard: Word,
): Word {
  if (value === undefined) return standard;
  const word = words.find((one) => one === value);
  if (!word) throw new InvalidCall(`${what} must be one of ${words.join(', ')}`);
  return word;
}

/** The kind of a value in words. */
export const kindOf = (value: unknown): string =>
  value === null ? 'null' : value === undefined ? 'missing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
