import { OFFERED_FUNCTIONS } from './expression-functions';

/** One completion of an expression. */
export interface CodeSuggestion {
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
export interface CodeSuggestions {
  from: number;
  options: CodeSuggestion[];
}

const PATH_STEP_PATTERN = '(?:[A-Za-z_]\\w*|`[^`]*`)(?:\\[[^\\]]*\\])*';
const TYPED_PATH_PATTERN = new RegExp(`((?:${PATH_STEP_PATTERN}\\.)*)(\`?[\\w$]*)$`);
const MAX_FIELD_SUGGESTIONS = 200;

/** Completions after `before`, the expression up to the cursor. `scope` has the current values. */
export function suggestInExpression(before: string, scope: Readonly<Record<string, unknown>>): CodeSuggestions | null {
  const [, path = '', word = ''] = TYPED_PATH_PATTERN.exec(before) ?? [];
  const from = before.length - word.length;
  if (word.startsWith('$')) return path ? null : { from, options: suggestFunctions() };
  if (path === '' && /[.\]"]$/.test(before.slice(0, from))) return null;
  const at = typedPathSteps(path).reduce<unknown>(readFieldStep, scope);
  const options = Object.entries(readFieldsInList(at))
    .slice(0, MAX_FIELD_SUGGESTIONS)
    .map(([name, value]) => ({ label: name, text: quoteFieldName(name), detail: summarizeValue(value) }));
  if (path === '' && word !== '') return { from, options };
  return options.length ? { from, options } : null;
}

/** The path that ends at the end of a text, with its value in the data. Undefined: none is known. */
export function valueBeforeCursor(
  before: string,
  scope: Readonly<Record<string, unknown>>,
): { path: string; value: unknown } | undefined {
  const [, path = '', word = ''] = TYPED_PATH_PATTERN.exec(before) ?? [];
  if (word === '' || word.startsWith('$')) return undefined;
  const names = typedPathSteps(`${path}${word}.`);
  const value = names.reduce<unknown>(readFieldStep, scope);
  return value === undefined ? undefined : { path: path + word, value };
}

const suggestFunctions = (): CodeSuggestion[] =>
  OFFERED_FUNCTIONS.map(({ name, parameters, summary, example }) => ({
    label: `$${name}`,
    text: `$${name}(`,
    detail: `(${parameters})`,
    help: `${summary}.\n${example}`,
  }));

/** `nodes.fetch.lines[0].` → nodes, fetch, lines. Indexes are dropped: JSONata maps paths over lists. */
const typedPathSteps = (path: string): string[] =>
  [...path.matchAll(/([A-Za-z_]\w*|`[^`]*`)(?:\[[^\]]*\])*\./g)].map(([, name = '']) => name.replaceAll('`', ''));

const firstListItem = (value: unknown): unknown => (Array.isArray(value) ? firstListItem(value[0]) : value);

const readFieldsInList = (value: unknown): Record<string, unknown> => {
  const one = firstListItem(value);
  return typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {};
};

const readFieldStep = (value: unknown, name: string): unknown => {
  const fields = readFieldsInList(value);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
};

const quoteFieldName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``);

/** A value in a few characters: the size of a list or an object, else the value itself. */
function summarizeValue(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `${Object.keys(value).length} fields`;
  return JSON.stringify(value).slice(0, 60);
}
