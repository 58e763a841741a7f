/** Names that objects inherit: as names of parameters they would read something else. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

const MAX_NAME = 60;

/** A name of letters, digits and `_`, for a parameter. */
export function parameterName(theirs: string): string {
  const name = theirs
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_NAME);
  if (name === '') return 'value';
  return /^\d/.test(name) || INHERITED.has(name) ? `_${name}` : name;
}

/** The id of an operation: of letters, digits, `.`, `_` and `-`. */
export const operationName = (theirs: string): string =>
  theirs
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^[_.-]+|[_.-]+$/g, '')
    .slice(0, MAX_NAME);

/** Gives names, each once. */
export class Names {
  private readonly used = new Set<string>();

  constructor(taken: readonly string[] = []) {
    for (const name of taken) this.used.add(name);
  }

  /** The name, or with `suffix` or a number behind it, if it is used. */
  take(name: string, suffix = ''): string {
    const first = this.used.has(name) && suffix !== '' ? `${name}_${suffix}` : name;
    let free = first;
    for (let number = 2; this.used.has(free); number += 1) free = `${first}_${number}`;
    this.used.add(free);
    return free;
  }
}

/** `petId` → `Pet id` */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
