import { nearest } from '@/components/graph/edits/names';

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const NAME = String.raw`(?:[A-Za-z_]\w*|\x60[^\x60]*\x60)`;
/** Strings and comments, or a path of at least two names. The first two are skipped. */
const PATH = new RegExp(String.raw`${STRING}|/\*[\s\S]*?\*/|(?<![\w$.\x60%@#])(${NAME}(?:\.${NAME})+)(?![\w(])`, 'g');

export interface MissingName {
  /** The path to where the name is missing. */
  within: string;
  name: string;
  /** A similar name that exists there. */
  near: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects that a step reads: JSONata looks into each item of a list. */
const objectsIn = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : [value].filter(isFields);

/** The first name in the paths of an expression that the data lacks. Paths that begin with another name than those of the scope are not judged. */
export function missingName(source: string, scope: Fields): MissingName | undefined {
  for (const [, path] of source.matchAll(PATH)) {
    const names = path?.match(/[^.`]+|`[^`]*`/g)?.map((name) => name.replaceAll('`', '')) ?? [];
    const [root = '', ...steps] = names;
    if (!Object.hasOwn(scope, root)) continue;
    let at: Fields[] = objectsIn(scope[root]);
    for (const [index, name] of steps.entries()) {
      // A value without fields has no names to compare with.
      if (at.length === 0) break;
      if (!at.some((one) => Object.hasOwn(one, name))) {
        const known = new Set(at.slice(0, 100).flatMap((one) => Object.keys(one)));
        return { within: names.slice(0, index + 1).join('.'), name, near: nearest(name, known) };
      }
      at = at.flatMap((one) => objectsIn(one[name]));
    }
  }
  return undefined;
}
