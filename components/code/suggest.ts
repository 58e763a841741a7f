import { FUNCTIONS } from './functions';

/** One completion of an expression. */
export interface Suggestion {
  /** The name to show. */
  label: string;
  /** The text to insert. */
  text: string;
  /** A short form of its value. */
  detail: string;
  /** Set for functions: what it does, with an example. */
  help?: string;
  /** The name stands in brackets instead of after a dot. */
  isInBrackets?: boolean;
}

/** Where the word at the cursor begins, with its completions. */
export interface Suggestions {
  from: number;
  options: Suggestion[];
}

const STEP = '(?:[A-Za-z_]\\w*|`[^`]*`)(?:\\[[^\\]]*\\])*';
const PATH = new RegExp(`((?:${STEP}\\.)*)(\`?[\\w$]*)$`);
const MOST = 200;

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
  FUNCTIONS.map(({ name, parameters, summary, example }) => ({
    label: `$${name}`,
    text: `$${name}(`,
    detail: `(${parameters})`,
    help: `${summary}.\n${example}`,
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
