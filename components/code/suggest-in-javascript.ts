import { CompletionContext } from '@codemirror/autocomplete';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { inferExampleValue } from './example-values';
import { suggestInProgram } from './suggest-code';
import type { CodeSuggestions } from './suggest-in-expression';

type ScopeValues = Readonly<Record<string, unknown>>;

/** An expression as a program: in parentheses, so that `{` begins an object. */
const EXPRESSION_PREFIX = '(';
const expressionState = (source: string) =>
  EditorState.create({ doc: EXPRESSION_PREFIX + source, extensions: [javascriptLanguage] });

/** Completions after `before`, an expression in JavaScript up to the cursor. `scope` has the current values. */
export function suggestInJavascript(before: string, scope: ScopeValues, isExplicit = true): CodeSuggestions | null {
  const state = expressionState(before);
  const found = suggestInProgram(
    new CompletionContext(state, state.doc.length, isExplicit || before.trim() === ''),
    scope,
    'javascript',
    true,
  );
  return found && { ...found, from: found.from - EXPRESSION_PREFIX.length };
}

/** The path or call that ends at the end of a text, with an example of its value. Undefined: none is known. */
export function exampleBeforeCursor(before: string, scope: ScopeValues): { path: string; value: unknown } | undefined {
  const state = expressionState(before);
  const node = syntaxTree(state).resolveInner(state.doc.length, -1);
  const whole = node.name === 'PropertyName' ? node.parent : node.name === 'VariableName' ? node : null;
  if (!whole) return undefined;
  const value = inferExampleValue(state, whole, { scope, isExpression: true });
  return value === undefined ? undefined : { path: state.sliceDoc(whole.from, whole.to), value };
}
