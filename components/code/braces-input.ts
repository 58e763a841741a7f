import { Prec, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { completeTypedBraces } from './typed-braces';

/** `{{` closes itself, and `}}` passes the braces that are there. */
export const bracesInput: Extension = Prec.high(
  EditorView.inputHandler.of((view, from, to, typed) => {
    if (from !== to || typed.length !== 1 || view.state.readOnly) return false;
    const change = completeTypedBraces(view.state.doc.toString(), from, typed);
    if (!change) return false;
    const { caret, ...changes } = change;
    view.dispatch({ changes, selection: { anchor: caret }, userEvent: 'input.type', scrollIntoView: true });
    return true;
  }),
);
