/** Names that every object inherits: a parameter with such a name would read the inherited value. */
const INHERITED_NAMES = new Set(Object.getOwnPropertyNames(Object.prototype));

const MAX_IDENTIFIER_LENGTH = 60;

/** A name of letters, digits and `_`, for a parameter. */
export function toParameterName(theirs: string): string {
  const name = theirs
    .slice(0, 500)
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, MAX_IDENTIFIER_LENGTH)
    .replaceAll(/^_+|_+$/g, '');
  if (name === '') return 'value';
  return /^\d/.test(name) || INHERITED_NAMES.has(name) ? `_${name}` : name;
}

/** The id of an operation: of letters, digits, `.`, `_` and `-`. */
export const toOperationId = (theirs: string): string =>
  theirs
    .slice(0, 1000)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^[_.-]+/g, '')
    .slice(0, MAX_IDENTIFIER_LENGTH)
    .replaceAll(/[_.-]+$/g, '');

/** Gives out names, each only once. */
export class UniqueNames {
  private readonly used: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.used = new Set(taken);
  }

  /** The name; if it is used, with `suffix` or a number behind it. */
  reserve(name: string, suffix = ''): string {
    const first = this.used.has(name) && suffix !== '' ? `${name}_${suffix}` : name;
    let free = first;
    for (let number = 2; this.used.has(free); number += 1) free = `${first}_${number}`;
    this.used.add(free);
    return free;
  }
}

/** `petId` → `Pet id` */
export function humanizeName(name: string): string {
  const words = name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
