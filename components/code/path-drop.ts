import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { draggedPath } from '@/components/ui/values/dragged-path';
import type { Language } from './language';

/** A data field dropped on the editor is inserted as the expression that reads it. */
export const pathDrop = (language: Language): Extension =>
  EditorView.domEventHandlers({
    drop(event, view) {
      const path = draggedPath(event.dataTransfer);
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      if (path === undefined) return false;
      event.preventDefault();
      const before = view.state.sliceDoc(0, at);
      const isInside = before.lastIndexOf('{{') > before.lastIndexOf('}}');
      const isBare = isInside || language === 'javascript' || language === 'expression';
      const insert = isBare ? path : `{{ ${path} }}`;
      view.dispatch({
        changes: { from: at, insert },
        selection: { anchor: at + insert.length },
        userEvent: 'input.drop',
      });
      view.focus();
      return true;
    },
  });
