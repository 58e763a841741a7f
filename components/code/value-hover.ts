import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { expressionBeforeCursor, type ExpressionValues } from './completion';
import { KnownObject } from './javascript-members';
import { isProgramLanguage, type EditorLanguage } from './language';
import { typeScriptTypeName } from './suggest-code';
import { valueBeforeCursor } from './suggest-in-expression';
import { exampleBeforeCursor } from './suggest-in-javascript';

/** Characters before a name that are read for its path. */
const MAX_READ_CHARACTERS = 2000;
const MAX_SHOWN_CHARACTERS = 200;

/** The type of a value and, shortened, the value. */
function describeExample(value: unknown): string {
  if (value instanceof KnownObject) return value.typeName;
  const text = JSON.stringify(value) ?? '';
  const shown = text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
  return `${typeScriptTypeName(value)}\n${shown}`;
}

/** The path that ends with the name at a place, and its value in the data. Undefined: none is known. */
export function describeNameAt(
  text: string,
  at: number,
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: ExpressionValues,
): { from: number; to: number; path: string; text: string } | undefined {
  const end = at + (/^[\w$]*/.exec(text.slice(at))?.[0].length ?? 0);
  const name = /[\p{L}_$][\w$]*`?$/u.exec(text.slice(0, end))?.[0];
  const before = expressionBeforeCursor(text.slice(Math.max(0, end - MAX_READ_CHARACTERS), end), language);
  if (name === undefined || before === undefined || end - name.length > at) return undefined;
  const isJavascript = language === 'javascript' || expressions === 'javascript';
  const found = isJavascript ? exampleBeforeCursor(before, values) : valueBeforeCursor(before, values);
  return found && { from: end - name.length, to: end, path: found.path, text: describeExample(found.value) };
}

/** Shows the type and the value of the data under the pointer. */
export const valueHover = (
  language: EditorLanguage,
  expressions: ExpressionLanguage,
  values: () => ExpressionValues | undefined,
): Extension =>
  isProgramLanguage(language) && language !== 'javascript'
    ? []
    : hoverTooltip((view, at) => {
        const scope = values();
        const found = scope && describeNameAt(view.state.doc.toString(), at, language, expressions, scope);
        if (!found) return null;
        return {
          pos: found.from,
          end: found.to,
          create: () => {
            const dom = document.createElement('div');
            dom.className = 'cm-value-hover';
            dom.textContent = `${found.path}: ${found.text}`;
            return { dom };
          },
        };
      });
