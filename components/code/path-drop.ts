import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { toPythonPath } from '@/contract/workflows/python-path';
import { readDroppedPath } from '@/components/ui/values/dragged-path';
import { insertCode } from './insertion';
import type { EditorLanguage } from './language';

/** A data field dropped on the editor is inserted as the expression that reads it. */
export const dropPathExtension = (language: EditorLanguage): Extension =>
  EditorView.domEventHandlers({
    drop(event, view) {
      const path = readDroppedPath(event.dataTransfer);
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      if (path === undefined) return false;
      event.preventDefault();
      insertCode(view, language, { text: language === 'python' ? toPythonPath(path) : path }, at);
      return true;
    },
  });
