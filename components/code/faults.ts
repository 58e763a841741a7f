import { syntaxTree } from '@codemirror/language';
import { jsonParseLinter } from '@codemirror/lang-json';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { isProgram, type Language } from './language';

/** A range of characters with an error message. */
export interface Fault {
  from: number;
  to: number;
  problem: string;
}

/** An additional check, such as JSONata's parser. */
export type Check = (text: string) => Promise<Fault | undefined>;

const error = (from: number, to: number, message: string): Diagnostic => ({ from, to, severity: 'error', message });

/** The first syntax error that the parser recovered from. */
function guessesOf(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter({ type, from, to }) {
      if (!type.isError || found.length > 0) return;
      const end = Math.min(Math.max(to, from + 1), view.state.doc.length);
      found.push(error(Math.max(0, Math.min(from, end - 1)), end, 'Syntax error'));
    },
  });
  return found;
}

const json = jsonParseLinter();

/** Underlines errors while typing. */
export const faults = (language: Language, check: Check | undefined): Extension =>
  linter(
    async (view): Promise<readonly Diagnostic[]> => {
      const text = view.state.doc.toString();
      if (text.trim() === '') return [];
      if (isProgram(language)) return guessesOf(view);
      const fault = await check?.(text);
      if (fault) return [error(fault.from, Math.min(fault.to, text.length), fault.problem)];
      return language === 'json' ? json(view) : [];
    },
    { delay: 250 },
  );
