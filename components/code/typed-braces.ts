import { findExpressionEnd } from './pills/data-references';

/** What replaces a range when a character is typed, and where the cursor goes. */
export interface TypedChange {
  from: number;
  to: number;
  insert: string;
  caret: number;
}

/** The expression that is open before the cursor; undefined: the cursor stands in plain text. */
function openExpressionBefore(text: string, caret: number): { depth: number } | undefined {
  const before = text.slice(0, caret);
  for (let open = before.indexOf('{{'); open !== -1;) {
    const expression = findExpressionEnd(before, open + 2);
    if (!expression.isClosed) return expression;
    open = before.indexOf('{{', expression.end + 2);
  }
  return undefined;
}

/**
 * What typing a character into a text with expressions makes, where it is more than the character: `{{` closes itself,
 * and `}}` typed before the closing braces passes them. `text`: before the character.
 */
export function completeTypedBraces(text: string, caret: number, typed: string): TypedChange | undefined {
  const after = text.slice(caret);
  if (typed === '{' && text[caret - 1] === '{' && text[caret - 2] !== '{') {
    if (openExpressionBefore(text, caret - 1) || /^\s*\}\}/.test(after)) return undefined;
    // The editor may have closed the first brace.
    const to = after.startsWith('}') ? caret + 1 : caret;
    return { from: caret, to, insert: '{  }}', caret: caret + 2 };
  }
  const isBlank = text.slice(0, caret).endsWith('{{ ') && after.startsWith(' }}');
  if (typed === ' ' && isBlank) return { from: caret, to: caret, insert: '', caret };
  if (typed !== '}') return undefined;
  // Between the closing braces: the first of them was passed.
  const isBetween = text[caret - 1] === '}' && after.startsWith('}');
  const open = openExpressionBefore(text, isBetween ? caret - 1 : caret);
  if (open?.depth !== 0) return undefined;
  if (isBetween) return { from: caret, to: caret, insert: '', caret: caret + 1 };
  const space = /^(\s*)\}\}/.exec(after)?.[1];
  if (space === undefined) return undefined;
  const isSpaced = /\s$/.test(text.slice(0, caret));
  const kept = isSpaced ? '' : space;
  return { from: caret, to: caret + space.length, insert: kept, caret: caret + kept.length + 1 };
}
