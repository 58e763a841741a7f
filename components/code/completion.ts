import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Language } from './language';
import { suggest, type Suggestion } from './suggest';

/** The variables of an expression, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** The expression before the cursor: after the last unclosed `{{`, or the whole text. */
function expressionBefore(text: string, language: Language): string | undefined {
  // A statement has no expressions.
  if (language === 'sql') return undefined;
  const open = text.lastIndexOf('{{');
  if (open > text.lastIndexOf('}}')) return text.slice(open + 2);
  return language === 'template' || language === 'json' ? undefined : text;
}

/** A name that is no identifier needs brackets in JavaScript and backticks in JSONata. */
function apply({ text, label }: Suggestion, language: Language): Completion['apply'] {
  if (language !== 'javascript' || text === label) return text;
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const insert = `[${JSON.stringify(label)}]`;
    view.dispatch({ changes: { from: from - 1, to, insert }, selection: { anchor: from - 1 + insert.length } });
  };
}

/** Completion for paths of the current values. */
export const completion = (language: Language, values: () => Values | undefined): Extension =>
  autocompletion({
    icons: false,
    activateOnTyping: true,
    override: [
      ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
        const scope = values();
        const before = expressionBefore(state.sliceDoc(Math.max(0, pos - 2000), pos), language);
        if (!scope || before === undefined) return null;
        // Complete inside a word, after a dot, or right after the opening braces.
        if (!explicit && !/([\w$`.]|\{\{\s*)$/.test(before) && before.trim() !== '') return null;
        if (!explicit && language === 'javascript' && !/[\w.]$/.test(before)) return null;
        const found = suggest(before, scope);
        if (!found) return null;
        return {
          from: pos - (before.length - found.from),
          options: found.options
            .filter(({ label }) => !label.startsWith('$') || language !== 'javascript')
            .map((option) => ({
              label: option.label,
              detail: option.detail,
              type: option.help ? 'function' : 'property',
              info: option.help,
              apply: apply(option, language),
            })),
          validFor: /^[`$\w]*$/,
        };
      },
    ],
  });
