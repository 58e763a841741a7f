import { syntaxTree } from '@codemirror/language';
import { jsonParseLinter } from '@codemirror/lang-json';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Language } from './language';

/** Characters that are wrong, and why. */
export interface Fault {
  from: number;
  to: number;
  problem: string;
}

/** What else looks at a text, such as JSONata's own parser. */
export type Check = (text: string) => Promise<Fault | undefined>;

const error = (from: number, to: number, message: string): Diagnostic => ({ from, to, severity: 'error', message });

/** The places at which the parser had to guess. */
function guessesOf(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter({ type, from, to }) {
      if (!type.isError || found.length > 0) return;
      const end = Math.min(Math.max(to, from + 1), view.state.doc.length);
      found.push(error(Math.max(0, Math.min(from, end - 1)), end, 'This can’t be read as JavaScript'));
    },
  });
  return found;
}

const json = jsonParseLinter();

/** Underlines what is wrong while one writes. */
export const faults = (language: Language, check: Check | undefined): Extension =>
  linter(
    async (view): Promise<readonly Diagnostic[]> => {
      const text = view.state.doc.toString();
      if (text.trim() === '') return [];
      if (language === 'javascript') return guessesOf(view);
      const fault = await check?.(text);
      if (fault) return [error(fault.from, Math.min(fault.to, text.length), fault.problem)];
      return language === 'json' ? json(view) : [];
    },
    { delay: 250 },
  );
