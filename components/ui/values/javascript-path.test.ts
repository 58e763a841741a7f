import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translatePath } from './expression-path';
import { parseJavascriptPath, printJavascriptPath } from './javascript-path';

describe('paths of JavaScript', () => {
  it('are read back as they were written', () => {
    const anyStep = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.nat(20),
      fc.constantFrom('a', '$x', '_1'),
    );
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 5 }), fc.boolean(), (steps, isOptional) => {
        const path = printJavascriptPath(['input', ...steps], undefined, isOptional) ?? '';
        expect(parseJavascriptPath(path), path).toEqual(['input', ...steps]);
        // Whatever is printed is an expression that leads to the value.
        const value = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), 'found');
        const read = new Function('input', `return ${path};`) as (input: unknown) => unknown;
        expect(read(value)).toEqual(steps.includes('__proto__') ? expect.anything() : 'found');
      }),
    );
  });

  it('are optional where the data lacks a value', () => {
    const scope = {
      input: { a: null, list: [{ b: { c: 1 } }, {}], sure: { d: { e: 1 } } },
      nodes: { later: undefined },
    };
    const path = (...steps: (string | number)[]) => printJavascriptPath(steps, scope);
    expect(path('input', 'a', 'x')).toBe('input.a?.x');
    expect(path('input', 'list', 0, 'b', 'c')).toBe('input.list[0]?.b?.c');
    expect(path('input', 'sure', 'd', 'e')).toBe('input.sure.d.e');
    expect(path('nodes', 'later', 'x')).toBe('nodes.later.x');
    expect(printJavascriptPath(['input', 'a', 'b'], undefined, true)).toBe('input?.a?.b');
  });

  it.each(['a b', 'a.', '.a', 'a[-1]', '[0]', 'a + b', 'true', '1', 'a..b', '"a"', 'a[x]', 'a()', 'a`b`', "a['\\x']"])(
    '%s is none',
    (text) => expect(parseJavascriptPath(text)).toBeUndefined(),
  );

  it('come from paths of JSONata', () => {
    expect(translatePath('input.`a b`[0].c', 'javascript')).toBe('input["a b"][0]?.c');
    expect(translatePath('nodes.`http-request`.body', 'javascript')).toBe('nodes["http-request"].body');
    const scope = { input: { rows: [{ a: 1, tags: [{ n: 1 }] }, {}] } };
    expect(translatePath('input.rows.a', 'javascript', scope)).toBe('input.rows.map((item) => item.a)');
    expect(translatePath('input.rows.tags.n', 'javascript', scope)).toBe(
      'input.rows.flatMap((item) => item.tags.map((item) => item.n))',
    );
    expect(translatePath('input.`a b`', 'jsonata')).toBe('input.`a b`');
  });
});
