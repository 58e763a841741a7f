import type { EditorView } from '@codemirror/view';
import { isProgramLanguage, type EditorLanguage } from './language';

/** A text to insert; `back`: how many characters before its end the cursor goes. */
export interface CodeInsertion {
  text: string;
  back?: number;
}

/** Inserts an expression at a position, in braces where the language needs them. */
export function insertCode(
  view: EditorView,
  language: EditorLanguage,
  { text, back = 0 }: CodeInsertion,
  from: number,
  to = from,
) {
  const before = view.state.sliceDoc(0, from);
  const isInside = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  const isBare = isInside || isProgramLanguage(language) || language === 'expression';
  // A name that follows a name directly would become one name with it.
  const space = isBare && /[\w$]$/.test(before) ? ' ' : '';
  const insert = isBare ? `${space}${text}` : `{{ ${text} }}`;
  const end = back > 0 ? insert.length - back - (isBare ? 0 : 3) : insert.length;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + end }, userEvent: 'input.drop' });
  view.focus();
}
