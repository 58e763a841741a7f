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
  const isInJson = language === 'json' && view.state.doc.toString().trim() !== '';
  const [open, close] = isBare ? [space, ''] : bracesAround(before, isInJson);
  const written = isInJson ? JSON.stringify(text).slice(1, -1) : text;
  const insert = open + written + close;
  const end = back > 0 ? insert.length - back - close.length : insert.length;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + end }, userEvent: 'input.drop' });
  view.focus();
}

/** Braces for an expression; between the values of JSON they are in quotes. */
function bracesAround(before: string, isInJson: boolean): [open: string, close: string] {
  const quotes = before.match(/\\.|"/gs)?.filter((found) => found === '"').length ?? 0;
  return isInJson && quotes % 2 === 0 ? ['"{{ ', ' }}"'] : ['{{ ', ' }}'];
}
