import { syntaxTree } from '@codemirror/language';
import { jsonParseLinter } from '@codemirror/lang-json';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { isProgramLanguage, type EditorLanguage } from './language';

/** A range of characters with an error message. */
export interface CodeDiagnostic {
  from: number;
  to: number;
  problem: string;
}

/** An additional check, such as JSONata's parser. */
export type CodeCheck = (text: string) => Promise<CodeDiagnostic | undefined>;

const errorDiagnostic = (from: number, to: number, message: string): Diagnostic => ({
  from,
  to,
  severity: 'error',
  message,
});

/** The first syntax error that the parser recovered from. */
function firstSyntaxError(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter({ type, from, to }) {
      if (!type.isError || found.length > 0) return;
      const end = Math.min(Math.max(to, from + 1), view.state.doc.length);
      found.push(errorDiagnostic(Math.max(0, Math.min(from, end - 1)), end, 'Syntax error'));
    },
  });
  return found;
}

const lintJson = jsonParseLinter();

/** Underlines errors while typing. */
export const codeLinter = (language: EditorLanguage, check: CodeCheck | undefined): Extension =>
  linter(
    async (view): Promise<readonly Diagnostic[]> => {
      const text = view.state.doc.toString();
      if (text.trim() === '') return [];
      if (isProgramLanguage(language)) return firstSyntaxError(view);
      const fault = await check?.(text);
      if (fault) return [errorDiagnostic(fault.from, Math.min(fault.to, text.length), fault.problem)];
      return language === 'json' ? lintJson(view) : [];
    },
    { delay: 250 },
  );
