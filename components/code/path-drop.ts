import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { pythonPath } from '@/contract/workflows/python-path';
import { draggedPath } from '@/components/ui/values/dragged-path';
import { insertAt } from './insertion';
import type { Language } from './language';

/** A data field dropped on the editor is inserted as the expression that reads it. */
export const pathDrop = (language: Language): Extension =>
  EditorView.domEventHandlers({
    drop(event, view) {
      const path = draggedPath(event.dataTransfer);
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      if (path === undefined) return false;
      event.preventDefault();
      insertAt(view, language, { text: language === 'python' ? pythonPath(path) : path }, at);
      return true;
    },
  });
