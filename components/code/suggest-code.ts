import type { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { HELPERS } from './functions';
import type { Suggestion, Suggestions } from './suggest';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Fields that are offered, and items of a list whose types are read. */
const MOST = 200;
/** Steps of a path: deeper ones are not followed. */
const DEEPEST = 50;
/** Longest time for parsing up to the cursor, in milliseconds: the editor parses a part of a long program at first. */
const PARSE_MS = 100;

/** Methods that completion offers after a list or a text: name, parameters, summary. */
const LIST: [string, string, string][] = [
  ['map', 'item => …', 'A value for each item'],
  ['filter', 'item => …', 'The items for which the function is true'],
  ['find', 'item => …', 'The first item for which the function is true'],
  ['some', 'item => …', 'Whether the function is true for an item'],
  ['every', 'item => …', 'Whether the function is true for all items'],
  ['reduce', '(sum, item) => …, first', 'One value from all items'],
  ['flatMap', 'item => …', 'The values of all items in one list'],
  ['slice', 'start, end', 'A part of the list'],
  ['includes', 'value', 'Whether the value is in the list'],
  ['join', 'separator', 'The items as one text'],
  ['toSorted', '(a, b) => …', 'The list in order'],
];
const TEXT: [string, string, string][] = [
  ['trim', '', 'The text without spaces around it'],
  ['split', 'separator', 'The parts of the text'],
  ['includes', 'text', 'Whether the text is in it'],
  ['startsWith', 'text', 'Whether it begins with the text'],
  ['endsWith', 'text', 'Whether it ends with the text'],
  ['replaceAll', 'text, by', 'The text with each match replaced'],
  ['slice', 'start, end', 'A part of the text'],
  ['toLowerCase', '', 'The text in lower case'],
  ['toUpperCase', '', 'The text in upper case'],
];

type Scope = Readonly<Record<string, unknown>>;

type Program = 'javascript' | 'python';

/**
 * Completions of a program at the cursor, with the types of the values in `scope`. Null: there are none. The trees of both languages have
 * the same names for what is read here. In Python, fields are read with brackets, and values have other methods.
 */
export function suggestCode(
  { state, pos, explicit }: CompletionContext,
  scope: Scope,
  language: Program = 'javascript',
): Suggestions | null {
  const node = (ensureSyntaxTree(state, pos, PARSE_MS) ?? syntaxTree(state)).resolveInner(pos, -1);
  const object = objectBefore(node);
  if (object) {
    const from = node.name === 'PropertyName' ? node.from : pos;
    const steps = stepsOf(state, object);
    if (!steps) return null;
    const options = steps.length === 1 && steps[0] === 'helpers' ? helpers() : members(valueAt(scope, steps), language);
    return options.length > 0 ? { from, options } : null;
  }
  if (node.name === 'VariableName') return { from: node.from, options: names(scope, language) };
  const isOpen = explicit && !/^(?:String|TemplateString|LineComment|BlockComment|RegExp|Number)$/.test(node.name);
  return isOpen ? { from: pos, options: names(scope, language) } : null;
}

/** The object whose member is written at the cursor: that of `a.b.` or `a.b.na`. */
function objectBefore(node: SyntaxNode): SyntaxNode | null {
  const isMember = node.name === 'PropertyName' || node.name === '.' || node.name === '?.';
  return isMember && node.parent?.name === 'MemberExpression' ? node.parent.firstChild : null;
}

/** `nodes["a b"].lines[0]` → nodes, a b, lines, 0. Null: it is no path. */
function stepsOf(state: EditorState, object: SyntaxNode): string[] | null {
  const steps: string[] = [];
  for (let node = object; steps.length < DEEPEST;) {
    if (node.name === 'VariableName') return [state.sliceDoc(node.from, node.to), ...steps.reverse()];
    const [inner, last] = [node.firstChild, node.lastChild];
    if (node.name !== 'MemberExpression' || !inner || !last) return null;
    const step = last.name === 'PropertyName' ? state.sliceDoc(last.from, last.to) : subscriptOf(state, last);
    if (step === null) return null;
    steps.push(step);
    node = inner;
  }
  return null;
}

/** The number or text in brackets that end at `end`. */
function subscriptOf(state: EditorState, end: SyntaxNode): string | null {
  const value = end.name === ']' ? end.prevSibling : null;
  if (!value) return null;
  const text = state.sliceDoc(value.from, value.to);
  if (value.name === 'Number') return text;
  return value.name === 'String' && !text.includes('\\') ? text.slice(1, -1) : null;
}

const valueAt = (scope: Scope, steps: string[]): unknown =>
  steps.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    scope,
  );

const names = (scope: Scope, language: Program): Suggestion[] => [
  ...Object.entries(scope).map(([name, value]) => ({ label: name, text: name, detail: typeOf(value) })),
  ...(language === 'javascript' ? [{ label: 'helpers', text: 'helpers', detail: 'functions' }] : []),
];

const called = ([name, parameters, summary]: [string, string, string]): Suggestion => ({
  label: name,
  text: `${name}(`,
  detail: `(${parameters})`,
  help: `${summary}.`,
});

const helpers = (): Suggestion[] => HELPERS.map(({ name, parameters, summary }) => called([name, parameters, summary]));

const LENGTH: Suggestion = { label: 'length', text: 'length', detail: 'number' };

function members(value: unknown, language: Program): Suggestion[] {
  const isPython = language === 'python';
  if (Array.isArray(value)) return isPython ? [] : [LENGTH, ...LIST.map(called)];
  if (typeof value === 'string') return isPython ? [] : [LENGTH, ...TEXT.map(called)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, MOST)
    .map(([name, inner]) => ({
      label: name,
      text: name,
      detail: typeOf(inner),
      ...(isPython || !isIdentifier(name) ? { isInBrackets: true } : {}),
    }));
}

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);

/** The type of a value as TypeScript writes it; empty: it is not known. */
export function typeOf(value: unknown): string {
  if (value === undefined) return '';
  if (value === null) return 'null';
  if (!Array.isArray(value)) return typeof value;
  const types = new Set(value.slice(0, MOST).map((item: unknown) => (Array.isArray(item) ? 'array' : typeOf(item))));
  const [only = 'unknown'] = types;
  return types.size > 1 ? 'unknown[]' : `${only}[]`;
}
