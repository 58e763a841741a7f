import type { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { inferExampleValue, readSubscript, type CodeNames, type CodeSyntaxNode } from './example-values';
import {
  KnownObject,
  knownObjects,
  LIST_METHODS,
  NUMBER_OBJECT,
  TEXT_METHODS,
  type MemberRow,
} from './javascript-members';
import type { CodeSuggestion, CodeSuggestions } from './suggest-in-expression';

/** Fields that are offered, and items of a list whose types are read. */
const MAX_LISTED_MEMBERS = 200;
/** Steps of a path: deeper ones are not followed. */
const MAX_PATH_STEPS = 50;
/** Longest time for parsing up to the cursor, in milliseconds: the editor parses a part of a long program at first. */
const MAX_PARSE_MS = 100;

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
  isExpression = false,
): CodeSuggestions | null {
  const node = (ensureSyntaxTree(state, pos, MAX_PARSE_MS) ?? syntaxTree(state)).resolveInner(pos, -1);
  const object = objectBeforeCursor(node);
  if (object) {
    const from = node.name === 'PropertyName' ? node.from : pos;
    const value =
      language === 'javascript'
        ? inferExampleValue(state, object, { scope, isExpression })
        : pythonValue(state, object, scope);
    const options = suggestMembers(value, language);
    return options.length > 0 ? { from, options } : null;
  }
  if (node.name === 'VariableName')
    return { from: node.from, options: suggestScopeNames({ scope, isExpression }, language) };
  const isOpen = explicit && !/^(?:String|TemplateString|LineComment|BlockComment|RegExp|Number)$/.test(node.name);
  return isOpen ? { from: pos, options: suggestScopeNames({ scope, isExpression }, language) } : null;
}

/** The object whose member is written at the cursor: that of `a.b.` or `a.b.na`. */
function objectBeforeCursor(node: CodeSyntaxNode): CodeSyntaxNode | null {
  const isMember = node.name === 'PropertyName' || node.name === '.' || node.name === '?.';
  return isMember && node.parent?.name === 'MemberExpression' ? node.parent.firstChild : null;
}

/** The value at a path of Python, `nodes["a b"]["lines"][0]`; undefined: it is no path. */
function pythonValue(state: EditorState, object: CodeSyntaxNode, scope: ProgramScope): unknown {
  const steps = memberPathSteps(state, object);
  return steps ? scopeValueAt(scope, steps) : undefined;
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

const scopeValueAt = (scope: ProgramScope, steps: string[]): unknown =>
  steps.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    scope,
  );

const suggestScopeNames = ({ scope, isExpression }: CodeNames, language: ProgramLanguage): CodeSuggestion[] => [
  ...Object.entries(scope).map(([name, value]) => ({ label: name, text: name, detail: typeScriptTypeName(value) })),
  ...(language === 'javascript' ? offeredObjects(isExpression) : []),
];

/** A program has the objects of the language, too, but they are offered in expressions only: programs are long. */
const offeredObjects = (isExpression: boolean): CodeSuggestion[] =>
  Object.entries(knownObjects(isExpression))
    .filter(([name]) => isExpression || name === 'helpers')
    .map(([name, { typeName }]) => ({ label: name, text: name, detail: typeName }));

const memberSuggestion = ([name, parameters, summary]: MemberRow): CodeSuggestion => ({
  label: name,
  text: parameters === undefined ? name : `${name}(`,
  detail: parameters === undefined ? '' : `(${parameters})`,
  help: `${summary}.`,
});

const LENGTH_SUGGESTION: CodeSuggestion = { label: 'length', text: 'length', detail: 'number' };

function suggestJavascriptMembers(value: unknown): CodeSuggestion[] | undefined {
  if (value instanceof KnownObject) return value.members.map(memberSuggestion);
  if (Array.isArray(value)) return [LENGTH_SUGGESTION, ...LIST_METHODS.map(memberSuggestion)];
  if (typeof value === 'string') return [LENGTH_SUGGESTION, ...TEXT_METHODS.map(memberSuggestion)];
  return typeof value === 'number' ? NUMBER_OBJECT.members.map(memberSuggestion) : undefined;
}

function suggestMembers(value: unknown, language: ProgramLanguage): CodeSuggestion[] {
  const isPython = language === 'python';
  const known = isPython ? undefined : suggestJavascriptMembers(value);
  if (known) return known;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
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
