/** Ids of the imported nodes by their names in n8n. */
export type Names = ReadonlyMap<string, string>;

const WORD = /^[A-Za-z_]\w*$/;
const step = (name: string) => (WORD.test(name) ? `.${name}` : `.\`${name.replaceAll('`', '')}\``);

/** A path of JSONata: steps, positions, nothing that is computed. */
const PATH = /^(?:input|nodes|execution)(?:\.(?:\w+|`[^`]*`)|\[-?\d+\])*$/;

/** JSONata for an expression of n8n, without its braces; undefined: it computes something, which has no counterpart. */
export function jsonata(source: string, names: Names): string | undefined {
  const text = source.trim();
  if (/^(?:-?\d+(?:\.\d+)?|true|false|null|"[^"\\]*")$/.test(text)) return text;
  if (/^'[^'"\\]*'$/.test(text)) return `"${text.slice(1, -1)}"`;
  if (text === '$now' || text === '$now.toISO()') return '$now()';
  const nodeOf = (name: string) => `nodes.${names.get(name) ?? 'unknown'}`;
  const path = text
    .replace(/^\$\(\s*(["'])(.+?)\1\s*\)\.(?:item|first\(\)|last\(\))\.json/, (_, _quote, name: string) => nodeOf(name))
    .replace(/^\$node\[(["'])(.+?)\1\]\.json/, (_, _quote, name: string) => nodeOf(name))
    .replace(/^\$input\.(?:item|first\(\)|last\(\))\.json/, 'input')
    .replace(/^\$json\b/, 'input')
    .replace(/^\$execution\.id$/, 'execution.id')
    .replaceAll(/\[(["'])(.+?)\1\]/g, (_, _quote, name: string) => step(name))
    .replaceAll('?.', '.');
  return PATH.test(path) ? path : undefined;
}

/** A text of n8n with expressions as Weft writes them. `lost`: expressions without a counterpart stay as text. */
export function template(value: unknown, names: Names): { value: unknown; lost: string[] } {
  if (Array.isArray(value)) {
    const parts = value.map((item) => template(item, names));
    return { value: parts.map((part) => part.value), lost: parts.flatMap((part) => part.lost) };
  }
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, item]) => [name, template(item, names)] as const);
    const filled = Object.fromEntries(parts.map(([name, part]) => [name, part.value]));
    return { value: filled, lost: parts.flatMap(([, part]) => part.lost) };
  }
  if (typeof value !== 'string' || !value.startsWith('=')) return { value, lost: [] };
  const lost: string[] = [];
  const text = value.slice(1).replaceAll(/\{\{([\s\S]*?)\}\}/g, (_, source: string) => {
    const found = jsonata(source, names);
    if (found !== undefined) return `{{ ${found} }}`;
    lost.push(source.trim());
    return `(n8n: ${source.trim()})`;
  });
  return { value: text, lost };
}

/** One operand of a comparison, as JSONata; undefined: it has no counterpart. */
export function operand(value: unknown, names: Names): string | undefined {
  if (typeof value !== 'string') return JSON.stringify(value ?? null);
  if (!value.startsWith('=')) return JSON.stringify(value);
  const [, source] = /^=\s*\{\{([\s\S]*)\}\}\s*$/.exec(value) ?? [];
  return source === undefined || source.includes('}}') ? undefined : jsonata(source, names);
}

const COMPARISONS: Readonly<Record<string, (left: string, right: string) => string>> = {
  equals: (left, right) => `${left} = ${right}`,
  equal: (left, right) => `${left} = ${right}`,
  notEquals: (left, right) => `${left} != ${right}`,
  notEqual: (left, right) => `${left} != ${right}`,
  gt: (left, right) => `${left} > ${right}`,
  larger: (left, right) => `${left} > ${right}`,
  gte: (left, right) => `${left} >= ${right}`,
  largerEqual: (left, right) => `${left} >= ${right}`,
  lt: (left, right) => `${left} < ${right}`,
  smaller: (left, right) => `${left} < ${right}`,
  lte: (left, right) => `${left} <= ${right}`,
  smallerEqual: (left, right) => `${left} <= ${right}`,
  contains: (left, right) => `$contains($string(${left}), ${right})`,
  notContains: (left, right) => `$not($contains($string(${left}), ${right}))`,
  exists: (left) => `$exists(${left})`,
  notExists: (left) => `$not($exists(${left}))`,
  empty: (left) => `$not($boolean(${left}))`,
  isEmpty: (left) => `$not($boolean(${left}))`,
  notEmpty: (left) => `$boolean(${left})`,
  isNotEmpty: (left) => `$boolean(${left})`,
  true: (left) => `${left} = true`,
  false: (left) => `${left} = false`,
};

interface Comparison {
  left: unknown;
  operation: string;
  right: unknown;
}

type Bag = Record<string, unknown>;
/** A value as an object; anything else has no fields. */
export const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {});
/** The objects of a list; anything else has none. */
export const list = (value: unknown): Bag[] => (Array.isArray(value) ? value.map(bag) : []);

/** The comparisons of an `if`, `filter` or rule of a `switch`, of the present form and of the one before. */
function comparisonsOf({ conditions, combineOperation }: Bag): { all: Comparison[]; isAny: boolean } {
  const { conditions: present, combinator } = bag(conditions);
  if (Array.isArray(present)) {
    const all = list(present).map(({ leftValue, operator, rightValue }) => ({
      left: leftValue,
      operation: String(bag(operator).operation),
      right: rightValue,
    }));
    return { all, isAny: combinator === 'or' };
  }
  const all = Object.entries(bag(conditions)).flatMap(([kind, rules]) =>
    list(rules).map(({ value1, operation, value2 }) => ({
      left: value1,
      operation: String(operation ?? (kind === 'number' ? 'smaller' : 'equal')),
      right: value2,
    })),
  );
  return { all, isAny: combineOperation === 'any' };
}

/** The condition of a node as JSONata; undefined: a part of it has no counterpart. */
export function condition(parameters: Bag, names: Names): string | undefined {
  const { all, isAny } = comparisonsOf(parameters);
  const parts = all.map(({ left, operation, right }) => {
    const [first, second] = [operand(left, names), operand(right, names)];
    const compare = COMPARISONS[operation];
    return first === undefined || second === undefined ? undefined : compare?.(first, second);
  });
  if (parts.length === 0 || parts.some((part) => part === undefined)) return undefined;
  return parts.join(isAny ? ' or ' : ' and ');
}
