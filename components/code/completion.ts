import { autocompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { localCompletionSource } from '@codemirror/lang-javascript';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { globalCompletion as pythonNames, localCompletionSource as pythonLocals } from '@codemirror/lang-python';
import { isServerLanguage, type EditorLanguage } from './language';
import { suggestInExpression, type CodeSuggestion } from './suggest-in-expression';
import { suggestInJavascript } from './suggest-in-javascript';
import { suggestInProgram } from './suggest-code';

/** The variables of an expression, by name. */
export type ExpressionValues = Readonly<Record<string, unknown>>;

/** The expression before the cursor: after the last unclosed `{{`, or the whole text. */
export function expressionBeforeCursor(text: string, language: EditorLanguage): string | undefined {
  if (isServerLanguage(language)) return undefined;
  const open = text.lastIndexOf('{{');
  if (open > text.lastIndexOf('}}')) return text.slice(open + 2);
  return language === 'template' || language === 'json' ? undefined : text;
}

/** A name in brackets instead of after the dot: `input?.["post code"]` in JavaScript, any field in Python. */
function insertInBrackets(name: string): Completion['apply'] {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const isOptional = view.state.sliceDoc(Math.max(0, from - 2), from) === '?.';
    const insert = `[${JSON.stringify(name)}]`;
    const start = isOptional ? from : from - 1;
    view.dispatch({ changes: { from: start, to, insert }, selection: { anchor: start + insert.length } });
  };
}

const toCompletion = (
  { label, text, detail, help }: CodeSuggestion,
  apply: Completion['apply'] = text,
): Completion => ({
  label,
  detail,
  type: help ? 'function' : 'property',
  apply,
  ...(help && { info: help }),
});

/** Values and helpers of a program. */
const completeProgram =
  (language: 'javascript' | 'python', values: () => ExpressionValues | undefined): CompletionSource =>
  (context) => {
    const scope = values();
    const found = scope && suggestInProgram(context, scope, language);
    if (!found) return null;
    const options = found.options.map((one) =>
      toCompletion(one, one.isInBrackets ? insertInBrackets(one.label) : one.text),
    );
    return { from: found.from, options, validFor: /^[\w$]*$/ };
  };

/** Values and functions of an expression. */
const completeExpression =
  (
    language: EditorLanguage,
    expressions: ExpressionLanguage,
    values: () => ExpressionValues | undefined,
  ): CompletionSource =>
  ({ state, pos, explicit }) => {
    const scope = values();
    const before = expressionBeforeCursor(state.sliceDoc(Math.max(0, pos - 2000), pos), language);
    if (!scope || before === undefined) return null;
    // Complete inside a word, after a dot, or right after the opening braces.
    if (!explicit && !/([\w$`.]|\{\{\s*)$/.test(before) && before.trim() !== '') return null;
    const isJavascript = expressions === 'javascript';
    const found = isJavascript ? suggestInJavascript(before, scope, explicit) : suggestInExpression(before, scope);
    if (!found) return null;
    return {
      from: pos - (before.length - found.from),
      options: found.options.map((one) => toCompletion(one, one.isInBrackets ? insertInBrackets(one.label) : one.text)),
      validFor: isJavascript ? /^[\w$]*$/ : /^[`$\w]*$/,
    };
  };

function completionSources(
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: () => ExpressionValues | undefined,
): CompletionSource[] {
  switch (language) {
    case 'javascript':
      return [completeProgram(language, values), localCompletionSource];
    case 'python':
      return [completeProgram(language, values), pythonLocals, pythonNames];
    default:
      return [completeExpression(language, expressions, values)];
  }
}

/** Completion for paths of the current values, and for the names that a program declares. */
export const codeCompletion = (
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: () => ExpressionValues | undefined,
): Extension =>
  autocompletion({
    icons: false,
    activateOnTyping: true,
    override: completionSources(language, expressions, values),
  });
