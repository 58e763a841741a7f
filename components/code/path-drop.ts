import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { toPythonPath } from '@/contract/workflows/python-path';
import { readDroppedPath } from '@/components/ui/values/dragged-path';
import { translatePath } from '@/components/ui/values/expression-path';
import type { ExpressionValues } from './completion';
import { insertCode } from './insertion';
import type { EditorLanguage } from './language';

/** A path of JSONata in the language of a text. */
const translateDroppedPath = (
  path: string,
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: ExpressionValues | undefined,
): string =>
  language === 'python'
    ? toPythonPath(path)
    : translatePath(path, language === 'javascript' ? 'javascript' : expressions, values);

/** A data field dropped on the editor is inserted as the expression that reads it. */
export const dropPathExtension = (
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: () => ExpressionValues | undefined,
): Extension =>
  EditorView.domEventHandlers({
    drop(event, view) {
      const path = readDroppedPath(event.dataTransfer);
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      if (path === undefined) return false;
      event.preventDefault();
      insertCode(view, language, { text: translateDroppedPath(path, language, expressions, values()) }, at);
      return true;
    },
  });
