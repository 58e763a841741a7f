/** One completion of an expression. */
export interface Suggestion {
  /** The name to show. */
  label: string;
  /** The text to insert. */
  text: string;
  /** A short form of its value. */
  detail: string;
  isFunction?: boolean;
}

/** Where the word at the cursor begins, with its completions. */
export interface Suggestions {
  from: number;
  options: Suggestion[];
}

const STEP = '(?:[A-Za-z_]\\w*|`[^`]*`)(?:\\[[^\\]]*\\])*';
const PATH = new RegExp(`((?:${STEP}\\.)*)(\`?[\\w$]*)$`);
const MOST = 200;

/** Frequently used JSONata functions with their parameters. */
const FUNCTIONS: Record<string, string> = {
  $string: 'value',
  $number: 'value',
  $boolean: 'value',
  $length: 'text',
  $substring: 'text, start, length',
  $uppercase: 'text',
  $lowercase: 'text',
  $trim: 'text',
  $contains: 'text, pattern',
  $split: 'text, separator',
  $join: 'list, separator',
  $replace: 'text, pattern, by',
  $match: 'text, pattern',
  $sum: 'numbers',
  $max: 'numbers',
  $min: 'numbers',
  $average: 'numbers',
  $round: 'number, digits',
  $floor: 'number',
  $ceil: 'number',
  $abs: 'number',
  $formatNumber: 'number, picture',
  $count: 'list',
  $append: 'list, list',
  $sort: 'list, function',
  $reverse: 'list',
  $distinct: 'list',
  $map: 'list, function',
  $filter: 'list, function',
  $reduce: 'list, function',
  $keys: 'object',
  $lookup: 'object, name',
  $merge: 'objects',
  $exists: 'value',
  $type: 'value',
  $not: 'value',
  $now: '',
  $millis: '',
  $toMillis: 'timestamp',
  $fromMillis: 'number, picture',
};

/** Completions after `before`, the expression up to the cursor. `scope` has the current values. */
export function suggest(before: string, scope: Readonly<Record<string, unknown>>): Suggestions | null {
  const [, path = '', word = ''] = PATH.exec(before) ?? [];
  const from = before.length - word.length;
  if (word.startsWith('$')) return path ? null : { from, options: functions() };
  if (path === '' && /[.\]"]$/.test(before.slice(0, from))) return null;
  const at = stepsOf(path).reduce<unknown>(step, scope);
  const options = Object.entries(fieldsOf(at))
    .slice(0, MOST)
    .map(([name, value]) => ({ label: name, text: written(name), detail: inShort(value) }));
  if (path === '' && word !== '') return { from, options };
  return options.length ? { from, options } : null;
}

const functions = (): Suggestion[] =>
  Object.entries(FUNCTIONS).map(([name, takes]) => ({
    label: name,
    text: `${name}(`,
    detail: `(${takes})`,
    isFunction: true,
  }));

/** `nodes.fetch.lines[0].` → nodes, fetch, lines. Indexes are dropped: JSONata maps paths over lists. */
const stepsOf = (path: string): string[] =>
  [...path.matchAll(/([A-Za-z_]\w*|`[^`]*`)(?:\[[^\]]*\])*\./g)].map(([, name = '']) => name.replaceAll('`', ''));

const inList = (value: unknown): unknown => (Array.isArray(value) ? inList(value[0]) : value);

const fieldsOf = (value: unknown): Record<string, unknown> => {
  const one = inList(value);
  return typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {};
};

const step = (value: unknown, name: string): unknown => {
  const fields = fieldsOf(value);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
};

const written = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);

/** A value in a few characters: the size of a list or an object, else the value itself. */
function inShort(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `${Object.keys(value).length} fields`;
  return JSON.stringify(value).slice(0, 60);
}
