import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Catalogue } from '../flow';
import { bodyAt } from '../body';

/** A name that a node's expressions or code read. */
interface Mention {
  /** What the name is looked up in. */
  root: 'nodes' | 'vars';
  name: string;
}

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
/** Strings and comments, or a path that begins with `nodes` or `vars`. The first two are skipped. */
const PATH = new RegExp(
  String.raw`${STRING}|/\*[\s\S]*?\*/|(?<![\w$.\x60?])(nodes|vars)\s*(?:(?:\?\.|\.)\s*([A-Za-z_]\w*|\x60[^\x60]*\x60|${STRING})|(?:\?\.)?\[\s*(${STRING})\s*\])`,
  'g',
);

const unquoted = (name: string) => name.replace(/^(["'`])(.*)\1$/s, '$2');

export function mentionsIn(source: string): Mention[] {
  return [...source.matchAll(PATH)].flatMap(([, root, step, key]) => {
    const name = step ?? key;
    return root && name !== undefined ? [{ root: root as Mention['root'], name: unquoted(name) }] : [];
  });
}

/** What is inside `{{ }}`. */
const expressionsIn = (text: string): string[] =>
  [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, source = '']) => source);

/** A text of a config with the path of its field: `fields.total`, `to[1]`. */
interface Source {
  field: string;
  text: string;
}

function textsIn(value: unknown, field: string): Source[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsIn(item, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${field}.${name}`));
}

type Field = { 'x-expression'?: boolean; 'x-literal'?: boolean; 'x-editor'?: string };

/** The expressions and the code of a node's config, without definitions inside it. */
function sourcesOf({ config, type }: Node, catalogue: Catalogue): Source[] {
  const { properties = {} } = (catalogue.get(type)?.configSchema ?? {}) as { properties?: Record<string, Field> };
  return Object.entries(config).flatMap(([name, value]) => {
    const field = properties[name] ?? {};
    if (field['x-editor'] === 'javascript') return textsIn(value, name);
    if (field['x-literal']) return [];
    if (field['x-expression'] && typeof value === 'string' && !value.includes('{{'))
      return [{ field: name, text: value }];
    return textsIn(value, name).flatMap(({ field: path, text }) =>
      expressionsIn(text).map((source) => ({ field: path, text: source })),
    );
  });
}

/** Number of single-character edits between two texts. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The most similar of the names, if one is similar enough to be a misspelling. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  // Two letters that changed places are two edits.
  const limit = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

const said = ({ root, name }: Mention, known: Iterable<string>): string => {
  const near = nearest(name, known);
  const what = root === 'nodes' ? `There is no node “${name}” here` : `There is no variable “${name}”`;
  return near === undefined ? `${what}.` : `${what}. Did you mean “${near}”?`;
};

/** A name that does not exist, in a sentence. `field`: the path in the node of the first field that reads it. */
export interface UnknownName {
  message: string;
  field: string;
}

/**
 * Names that expressions and code read and that do not exist, by the node that reads them: nodes inside the loops of `path` and around them,
 * and variables. `variables`: undefined if they are not known.
 */
export function unknownNames(
  definition: Definition,
  path: readonly string[],
  catalogue: Catalogue,
  variables: ReadonlySet<string> | undefined,
): ReadonlyMap<string, UnknownName[]> {
  const levels = [...path.keys(), path.length].map((depth) => bodyAt(definition, path.slice(0, depth)));
  const ids = new Set(levels.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  const found = new Map<string, UnknownName[]>();
  for (const node of levels.at(-1)?.nodes ?? []) {
    const fields = new Map<string, string>();
    for (const { field, text } of sourcesOf(node, catalogue))
      for (const mention of mentionsIn(text)) {
        const known = mention.root === 'nodes' ? ids : variables;
        const message = known && !known.has(mention.name) ? said(mention, known) : undefined;
        if (message !== undefined && !fields.has(message)) fields.set(message, `config.${field}`);
      }
    if (fields.size > 0)
      found.set(
        node.id,
        [...fields].map(([message, field]) => ({ message, field })),
      );
  }
  return found;
}
