import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '../cards-and-edges';
import { readAgentTools } from '../agent';
import { definitionAtPath } from '../body';

/** A name that a node's expressions or code read. */
interface NameMention {
  /** The object in which the name is looked up. */
  root: 'nodes' | 'vars';
  name: string;
}

const STRING_LITERAL_SOURCE = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
/** Strings and comments, or a path that begins with `nodes` or `vars`. The first two are skipped. */
const NAME_PATH_PATTERN = new RegExp(
  String.raw`${STRING_LITERAL_SOURCE}|/\*[\s\S]*?\*/|(?<![\w$.\x60?])(nodes|vars)\s*(?:(?:\?\.|\.)\s*([A-Za-z_]\w*|\x60[^\x60]*\x60|${STRING_LITERAL_SOURCE})|(?:\?\.)?\[\s*(${STRING_LITERAL_SOURCE})\s*\])`,
  'g',
);

const stripNameQuotes = (name: string) => name.replace(/^(["'`])(.*)\1$/s, '$2');

export function findNameMentions(source: string): NameMention[] {
  return [...source.matchAll(NAME_PATH_PATTERN)].flatMap(([, root, step, key]) => {
    const name = step ?? key;
    return root && name !== undefined ? [{ root: root as NameMention['root'], name: stripNameQuotes(name) }] : [];
  });
}

/** The sources of the expressions inside `{{ }}`. */
const templateExpressions = (text: string): string[] =>
  [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, source = '']) => source);

/** A text of a config with the path of its field: `fields.total`, `to[1]`. */
interface ConfigFieldText {
  field: string;
  text: string;
  /** The names that it may use instead of the usual ones. */
  names?: readonly string[] | undefined;
}

function collectFieldTexts(value: unknown, field: string): ConfigFieldText[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => collectFieldTexts(item, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => collectFieldTexts(inner, `${field}.${name}`));
}

interface ConfigFieldSchema {
  'x-expression'?: boolean;
  'x-literal'?: boolean;
  'x-editor'?: string;
  'x-scope'?: string[];
  /** Of an object whose fields the node evaluates itself. */
  properties?: Record<string, ConfigFieldSchema>;
}

/** The expressions and the code in a value of a config. */
function fieldExpressionTexts(value: unknown, name: string, field: ConfigFieldSchema): ConfigFieldText[] {
  if (field['x-editor'] === 'javascript') return collectFieldTexts(value, name);
  // Expressions that the node evaluates itself are in fields that are literal for others.
  if (field['x-expression'] && typeof value === 'string' && !value.includes('{{'))
    return [{ field: name, text: value, names: field['x-scope'] }];
  if (field['x-literal']) {
    const inner = field.properties ?? {};
    return Object.entries(isObject(value) ? value : {}).flatMap(([key, one]) =>
      inner[key]?.['x-expression'] ? fieldExpressionTexts(one, `${name}.${key}`, inner[key]) : [],
    );
  }
  return collectFieldTexts(value, name).flatMap(({ field: path, text }) =>
    templateExpressions(text).map((source) => ({ field: path, text: source })),
  );
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The expressions and the code of a config, without definitions inside it. */
function configExpressionTexts(
  { config, type }: Pick<WorkflowNode, 'config' | 'type'>,
  at: string,
  catalogue: NodeTypesByName,
): ConfigFieldText[] {
  const { properties = {} } = (catalogue.get(type)?.configSchema ?? {}) as {
    properties?: Record<string, ConfigFieldSchema>;
  };
  return Object.entries(config).flatMap(([name, value]) =>
    fieldExpressionTexts(value, `${at}.${name}`, properties[name] ?? {}),
  );
}

/** The expressions and the code of a node, its list and its tools, without definitions inside it. */
const nodeExpressionTexts = (node: WorkflowNode, catalogue: NodeTypesByName): ConfigFieldText[] => [
  ...configExpressionTexts(node, 'config', catalogue),
  ...(node.each?.items === undefined ? [] : [{ field: 'each.items', text: expressionOrTemplate(node.each.items) }]),
  ...(node.type === 'agent' ? readAgentTools(node.config) : []).flatMap((tool, index) =>
    configExpressionTexts(tool, `config.tools[${index}].config`, catalogue),
  ),
];

/** An expression without the braces around it. */
const expressionOrTemplate = (text: string): string => /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1] ?? text;

/** Number of single-character edits between two texts. */
function editDistance(one: string, other: string): number {
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
export function closestName(name: string, names: Iterable<string>): string | undefined {
  // Two letters that changed places are two edits.
  const limit = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

const unknownNameMessage = ({ root, name }: NameMention, known: Iterable<string>): string => {
  const near = closestName(name, known);
  const what = root === 'nodes' ? `There is no node “${name}” here` : `There is no variable “${name}”`;
  return near === undefined ? `${what}.` : `${what}. Did you mean “${near}”?`;
};

/** Why a field with names of its own has no value for a name. */
const scopeMessage = ({ root, name }: NameMention, names: readonly string[]): string | undefined =>
  names.includes(root) ? undefined : `This field knows ${names.join(' and ')}, not “${root}.${name}”.`;

/** A name that does not exist, in a sentence. `field`: the path in the node of the first field that reads it. */
export interface UnknownName {
  message: string;
  field: string;
}

/**
 * Names that expressions and code read and that do not exist, by the node that reads them: nodes inside the loops of
 * `path` and around them, and variables. `variables`: undefined if they are not known.
 */
export function findUnknownNames(
  definition: WorkflowDefinition,
  path: readonly string[],
  catalogue: NodeTypesByName,
  variables: ReadonlySet<string> | undefined,
): ReadonlyMap<string, UnknownName[]> {
  const levels = [...path.keys(), path.length].map((depth) => definitionAtPath(definition, path.slice(0, depth)));
  const ids = new Set(levels.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
  const found = new Map<string, UnknownName[]>();
  for (const node of levels.at(-1)?.nodes ?? []) {
    const fields = new Map<string, string>();
    for (const { field, text, names } of nodeExpressionTexts(node, catalogue))
      for (const mention of findNameMentions(text)) {
        const known = mention.root === 'nodes' ? ids : variables;
        const isUnknown = known && !known.has(mention.name);
        const message = names ? scopeMessage(mention, names) : isUnknown && unknownNameMessage(mention, known);
        if (message && !fields.has(message)) fields.set(message, field);
      }
    if (fields.size > 0)
      found.set(
        node.id,
        [...fields].map(([message, field]) => ({ message, field })),
      );
  }
  return found;
}
