import { expect, test } from 'vitest';
import { isExpressionProblem } from '../expression-problem';
import { parseJavaScript } from './parse';

/** An expression as n8n writes it anew. */
function writeAnew(source: string): string {
  const parsed = parseJavaScript(source, 'text');
  if (isExpressionProblem(parsed)) throw new Error(parsed.message);
  return parsed.javascript.templateEdits
    .toReversed()
    .reduce((text, { at, until, text: inserted }) => text.slice(0, at) + inserted + text.slice(until), source);
}

test.each([
  ['`a\n${x}`', '`a\n ${x}`'],
  ['`a\\n${x}`', '`a\\n ${x}`'],
  ['`a\ny${x}`', '`a\ny ${x}`'],
  ['`<b>\n<i>${x}`', '`<b>\n<i>${x}`'],
  ['`a\n  ${x}`', '`a\n  ${x}`'],
  ['`a\nb: ${x} c ${x}\n${x}`', '`a\nb: ${x} c ${x}\n ${x}`'],
  ['`a\n\tb`', '`a\n    b`'],
  ['`a\n \t ${x}`', '`a\n     ${x}`'],
  ['`a ${x}${x}\n`', '`a ${x}${x}\n`'],
  ['"a\\n" + x', '"a\\n" + x'],
])('%j becomes %j', (source, written) => {
  expect(writeAnew(source)).toBe(written);
});
