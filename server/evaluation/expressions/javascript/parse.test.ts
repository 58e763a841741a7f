import { describe, expect, test } from 'vitest';
import { isExpressionProblem } from '../expression-problem';
import { parseFieldText } from '../template';
import { findScopeReferences } from '../references';
import { parseJavaScript } from './parse';

describe('JavaScript is refused', () => {
  test.each([
    ['', 'Unexpected token', 0],
    ['input.', 'Unexpected token', 6],
    ['input + ', 'Unexpected token', 8],
    ['a b', 'Unexpected token', 2],
    ['1)(2', 'Unexpected token', 1],
    ['return', undefined, 0],
    ['const x = 1', 'The statements have no result: write return before it', 0],
    ['input.a;', 'The statements have no result: write return before it', 0],
    ['await input', 'await', 0],
    ['async () => { await 1 }', 'await is not available: an expression cannot wait', 14],
    ['import("fs")', 'import is not available', 0],
    ['import fs from "fs"', 'import is not available', 0],
    ['import.meta', 'import.meta', 0],
    ['x = eval("1")', 'eval is not available: data is never evaluated', 4],
    ['new Function("return 1")', 'Function is not available: data is never evaluated', 4],
    ['with (input) { return n }', "'with' in strict mode", 0],
    ['delete input', 'Deleting local variable in strict mode', 0],
    ['010', 'Invalid number', 0],
    ['input.a <!--b', 'Write a space', 8],
    ['/(/', 'Invalid regular expression', 1],
  ])('%s', (source, message, position) => {
    const parsed = parseJavaScript(source, 'text');
    if (message === undefined) return expect(isExpressionProblem(parsed)).toBe(false);
    expect(isExpressionProblem(parsed) && parsed.message).toContain(message);
    expect(isExpressionProblem(parsed) && parsed.position).toBe(position);
  });
});

test.each([
  ['parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)}`, 'nested too deeply'],
  ['lists', `${'['.repeat(1200)}1${']'.repeat(1200)}`, 'nested too deeply'],
  ['sums', `${'1+'.repeat(1100)}1`, 'nested too deeply'],
  ['functions', `${'() => '.repeat(3000)}1`, 'nested too deeply'],
  ['names', `${Array.from({ length: 1200 }, (_, at) => `let a${at};`).join('')} return 1`, 'at most 1000 names'],
  ['characters', `[${'1,'.repeat(40_000)}1]`, 'at most 65536 characters'],
])('there is a limit of %s', (_, source, message) => {
  const parsed = parseJavaScript(source, 'text');
  expect(isExpressionProblem(parsed) && parsed.message).toContain(message);
  const text = parseFieldText(`{{ ${source} }}`, 'template', 'javascript');
  expect('problem' in text && text.problem.message).toContain(message);
});

describe('the end of an expression in a text', () => {
  test.each([
    ['{{ {a: {b: 1}} }}!', 2],
    ['{{ {a:{b:1}}}}', 1],
    ['a {{ "}}" }} b {{ `}} ${1} }}` }}', 4],
    ['{{ (() => { if (1) { return {} } })() }}', 1],
    ['{{ /}}/ }}{{ 1 /* }} */ }}', 2],
    ['{{ const x = {a: 1}; return x }}', 1],
  ])('%s', (text, parts) => {
    const parsed = parseFieldText(text, 'template', 'javascript');
    expect('parts' in parsed && parsed.parts.length).toBe(parts);
  });

  test.each([
    ['{{ 1', /not closed/],
    ['{{ 1 }', /not closed/],
    ['{{ 1 + }}', /Unexpected token/],
    ['{{ 1 }} {{ }}', /Unexpected token/],
    ['{{ {a: 1} } }}', /Unexpected token/],
  ])('%s has none', (text, message) => {
    const parsed = parseFieldText(text, 'template', 'javascript');
    expect('problem' in parsed && parsed.problem.message).toMatch(message);
  });
});

test.each([
  ['a.b?.c.sum()', { start: 0, end: 3 }],
  ['a.b()?.c.sum()', true],
  [`"${'a'.repeat(600)}"?.c.sum()`, true],
])('the value that ends a chain is repeated if it is short and calls nothing: %s', (source, optional) => {
  const parsed = parseJavaScript(source, 'text');
  expect(!isExpressionProblem(parsed) && parsed.javascript.extensionCalls).toMatchObject([{ optional }]);
});

describe('references', () => {
  test.each([
    ['nodes.a.b + nodes["c d"]', ['a', 'c d'], ['b', 'e']],
    ['nodes?.a', ['a'], ['b']],
    ['const n = nodes; return n.a', ['a', 'b'], []],
    ['const {a} = nodes; return a', ['a', 'b'], []],
    ['nodes[input.name]', ['a', 'b'], []],
    ['({nodes}).nodes.a', ['a', 'b'], []],
    ['((x) => x.a)(nodes)', ['a', 'b'], []],
    ['nodes["a" + "b"]', ['ab', 'b'], []],
    ['input.nodes.a', [], ['a']],
    ['"nodes.a"', [], ['a']],
    ['text {{ nodes.a }} nodes.b {{ input }}', ['a'], ['c']],
    ['"{{ 1 }}" + nodes.a', ['a'], ['b']],
    [`nodes.a + ${'"long" + '.repeat(100)} nodes["b"]`, ['a', 'b'], ['c']],
    [`nodes[input.a] + ${'"long" + '.repeat(100)} 1`, ['a', 'b'], []],
    ['n\\u006fdes.a', ['a'], []],
  ])('%s', (text, read, unread) => {
    const references = findScopeReferences({ field: [text] }, 'javascript');
    for (const id of read) expect(references.node(id)).toBe(true);
    for (const id of unread) expect(references.node(id)).toBe(false);
  });

  test('names of the scope', () => {
    const { input, execution, variables, variable, timeZone } = findScopeReferences(['vars.A', 'input'], 'javascript');
    expect([input, execution, variables, variable('A'), variable('B'), timeZone]).toEqual([
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(findScopeReferences('input.at.toLocaleString()', 'javascript').timeZone).toBe(true);
    expect(findScopeReferences('{{ item.a + index }}', 'javascript').name('items')).toBe(false);
  });
});
