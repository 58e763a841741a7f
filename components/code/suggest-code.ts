import type { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { CODE_NODE_HELPERS } from './expression-functions';
import type { CodeSuggestion, CodeSuggestions } from './suggest-in-expression';

type CodeSyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Fields that are offered, and items of a list whose types are read. */
const MAX_LISTED_MEMBERS = 200;
/** Steps of a path: deeper ones are not followed. */
const MAX_PATH_STEPS = 50;
/** Longest time for parsing up to the cursor, in milliseconds: the editor parses a part of a long program at first. */
const MAX_PARSE_MS = 100;

/** Methods that completion offers after a list or a text: name, parameters, summary. */
const LIST_METHODS: [string, string, string][] = [
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
const TEXT_METHODS: [string, string, string][] = [
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

type ProgramScope = Readonly<Record<string, unknown>>;

type ProgramLanguage = 'javascript' | 'python';

/**
 * Completions of a program at the cursor, with the types of the values in `scope`. Null: there are none. The trees of
 * both languages have the same names for what is read here. In Python, fields are read with brackets, and values have
 * other methods.
 */
export function suggestInProgram(
  { state, pos, explicit }: CompletionContext,
  scope: ProgramScope,
  language: ProgramLanguage = 'javascript',
): CodeSuggestions | null {
  const node = (ensureSyntaxTree(state, pos, MAX_PARSE_MS) ?? syntaxTree(state)).resolveInner(pos, -1);
  const object = objectBeforeCursor(node);
  if (object) {
    const from = node.name === 'PropertyName' ? node.from : pos;
    const steps = memberPathSteps(state, object);
    if (!steps) return null;
    const options =
      steps.length === 1 && steps[0] === 'helpers'
        ? suggestHelpers()
        : suggestMembers(scopeValueAt(scope, steps), language);
    return options.length > 0 ? { from, options } : null;
  }
  if (node.name === 'VariableName') return { from: node.from, options: suggestScopeNames(scope, language) };
  const isOpen = explicit && !/^(?:String|TemplateString|LineComment|BlockComment|RegExp|Number)$/.test(node.name);
  return isOpen ? { from: pos, options: suggestScopeNames(scope, language) } : null;
}

/** The object whose member is written at the cursor: that of `a.b.` or `a.b.na`. */
function objectBeforeCursor(node: CodeSyntaxNode): CodeSyntaxNode | null {
  const isMember = node.name === 'PropertyName' || node.name === '.' || node.name === '?.';
  return isMember && node.parent?.name === 'MemberExpression' ? node.parent.firstChild : null;
}

/** `nodes["a b"].lines[0]` → nodes, a b, lines, 0. Null: it is no path. */
function memberPathSteps(state: EditorState, object: CodeSyntaxNode): string[] | null {
  const steps: string[] = [];
  for (let node = object; steps.length < MAX_PATH_STEPS;) {
    if (node.name === 'VariableName') return [state.sliceDoc(node.from, node.to), ...steps.reverse()];
    const [inner, last] = [node.firstChild, node.lastChild];
    if (node.name !== 'MemberExpression' || !inner || !last) return null;
    const step = last.name === 'PropertyName' ? state.sliceDoc(last.from, last.to) : readSubscript(state, last);
    if (step === null) return null;
    steps.push(step);
    node = inner;
  }
  return null;
}

/** The number or text in brackets that end at `end`. */
function readSubscript(state: EditorState, end: CodeSyntaxNode): string | null {
  const value = end.name === ']' ? end.prevSibling : null;
  if (!value) return null;
  const text = state.sliceDoc(value.from, value.to);
  if (value.name === 'Number') return text;
  return value.name === 'String' && !text.includes('\\') ? text.slice(1, -1) : null;
}

const scopeValueAt = (scope: ProgramScope, steps: string[]): unknown =>
  steps.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    scope,
  );

const suggestScopeNames = (scope: ProgramScope, language: ProgramLanguage): CodeSuggestion[] => [
  ...Object.entries(scope).map(([name, value]) => ({ label: name, text: name, detail: typeScriptTypeName(value) })),
  ...(language === 'javascript' ? [{ label: 'helpers', text: 'helpers', detail: 'functions' }] : []),
];

const methodSuggestion = ([name, parameters, summary]: [string, string, string]): CodeSuggestion => ({
  label: name,
  text: `${name}(`,
  detail: `(${parameters})`,
  help: `${summary}.`,
});

const suggestHelpers = (): CodeSuggestion[] =>
  CODE_NODE_HELPERS.map(({ name, parameters, summary }) => methodSuggestion([name, parameters, summary]));

const LENGTH_SUGGESTION: CodeSuggestion = { label: 'length', text: 'length', detail: 'number' };

function suggestMembers(value: unknown, language: ProgramLanguage): CodeSuggestion[] {
  const isPython = language === 'python';
  if (Array.isArray(value)) return isPython ? [] : [LENGTH_SUGGESTION, ...LIST_METHODS.map(methodSuggestion)];
  if (typeof value === 'string') return isPython ? [] : [LENGTH_SUGGESTION, ...TEXT_METHODS.map(methodSuggestion)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_LISTED_MEMBERS)
    .map(([name, inner]) => ({
      label: name,
      text: name,
      detail: typeScriptTypeName(inner),
      ...(isPython || !isJavaScriptName(name) ? { isInBrackets: true } : {}),
    }));
}

const isJavaScriptName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);

/** The type of a value as TypeScript writes it; empty: it is not known. */
export function typeScriptTypeName(value: unknown): string {
  if (value === undefined) return '';
  if (value === null) return 'null';
  if (!Array.isArray(value)) return typeof value;
  const types = new Set(
    value
      .slice(0, MAX_LISTED_MEMBERS)
      .map((item: unknown) => (Array.isArray(item) ? 'array' : typeScriptTypeName(item))),
  );
  const [only = 'unknown'] = types;
  return types.size > 1 ? 'unknown[]' : `${only}[]`;
}
