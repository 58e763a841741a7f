import { CompletionContext } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { toPythonPath } from '@/contract/workflows/python-path';
import { suggestInProgram, typeScriptTypeName } from './suggest-code';

const scope = {
  input: { name: 'Ada', 'post code': '1010', lines: [{ price: 3 }], age: null },
  nodes: { fetch: { body: { id: 7 } }, 'http-request': { status: 200 }, later: undefined },
  execution: { id: 'exec_1' },
};
const at = (before: string, after = '', isExplicit = true) => {
  const state = EditorState.create({ doc: before + after, extensions: [javascript()] });
  return suggestInProgram(new CompletionContext(state, before.length, isExplicit), scope);
};
const labels = (before: string, after = '') => at(before, after)?.options.map(({ label }) => label);

describe('completion in code', () => {
  it('offers the names, and the helper functions', () => {
    expect(labels('')).toEqual(['input', 'nodes', 'execution', 'helpers']);
    expect(labels('return in', ' + 1;')).toEqual(['input', 'nodes', 'execution', 'helpers']);
    expect(labels('helpers.')).toEqual(expect.arrayContaining(['formatDate', 'uuid']));
    expect(at('helpers.for')?.from).toBe(8);
    expect(at('const x = 1; ', '', false)).toBeNull();
  });

  it('follows the data with its types, past the end of the line', () => {
    expect(at('return input.', '\nreturn 1;')?.options).toEqual([
      { label: 'name', text: 'name', detail: 'string' },
      { label: 'post code', text: 'post code', detail: 'string', isInBrackets: true },
      { label: 'lines', text: 'lines', detail: 'object[]' },
      { label: 'age', text: 'age', detail: 'null' },
    ]);
    expect(labels('const x = nodes.fetch?.body.')).toEqual(['id']);
    expect(labels('nodes["http-request"].')).toEqual(['status']);
    expect(labels('nodes["http-request"]?.st')).toEqual(['status']);
    expect(labels('input.lines[0].pr')).toEqual(['price']);
    expect(labels('if (input.lines[0].', ') { }')).toEqual(['price']);
  });

  it('offers methods of lists and texts', () => {
    expect(labels('input.lines.')).toEqual(expect.arrayContaining(['length', 'map', 'filter']));
    expect(labels('input.name.')).toEqual(expect.arrayContaining(['length', 'trim']));
  });

  it('offers nothing for what is not known, in texts and in comments', () => {
    for (const before of ['nodes.later.', 'unknown.', 'input.constructor.', 'input.age.', 'f().', '"text".'])
      expect(labels(before), before).toBeUndefined();
    for (const before of ['"input.', '// input.', '/* in', '`input.', '12.'])
      expect(labels(before), before).toBeUndefined();
  });

  it('follows long paths no further than to their limit', () => {
    expect(labels('input.'.repeat(60))).toBeUndefined();
    expect(labels('a['.repeat(1000))).toBeDefined();
  });
});

it('names types as TypeScript does', () => {
  expect([1, 'a', true, null, undefined, [1, 2], [1, 'a'], [], [[1]]].map(typeScriptTypeName)).toEqual([
    'number',
    'string',
    'boolean',
    'null',
    '',
    'number[]',
    'unknown[]',
    'unknown[]',
    'array[]',
  ]);
});

describe('completion in Python', () => {
  const inPython = (text: string) => {
    const state = EditorState.create({ doc: text, extensions: [python()] });
    return suggestInProgram(new CompletionContext(state, text.length, true), scope, 'python')?.options;
  };

  it('offers the names, and fields in brackets', () => {
    expect(inPython('return in')?.map(({ label }) => label)).toEqual(['input', 'nodes', 'execution']);
    expect(inPython('return input.')).toEqual(
      ['name', 'post code', 'lines', 'age'].map((label) => expect.objectContaining({ label, isInBrackets: true })),
    );
    expect(inPython('x = input["lines"][0].')).toEqual([
      { label: 'price', text: 'price', detail: 'number', isInBrackets: true },
    ]);
    expect(inPython('nodes["http-request"].st')?.map(({ label }) => label)).toEqual(['status']);
  });

  it('offers no methods of JavaScript', () => {
    expect(inPython('input["lines"].')).toBeUndefined();
    expect(inPython('input["name"].')).toBeUndefined();
  });

  it('reads dropped paths with brackets', () => {
    expect(toPythonPath('nodes.fetch.lines[0].`post code`')).toBe('nodes["fetch"]["lines"][0]["post code"]');
  });
});
