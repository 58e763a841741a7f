import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readJavascript } from '@/import/languages/javascript-syntax';
import { parseJavascriptFields, printJavascriptFields } from './javascript-assignments';

const anyText = fc.string({ maxLength: 6, unit: 'grapheme' }).filter((text) => !/[{}]/.test(text));
const anyTemplate = fc
  .array(fc.oneof(anyText, fc.constantFrom('{{ input.a }}', '{{ nodes?.b["c d"][0] }}')), { maxLength: 4 })
  .map((parts) => parts.join(''));
const anyValue = fc.oneof(
  anyTemplate,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(anyText, fc.integer(), fc.constant('{{ input.a }}')), { maxLength: 2 }),
);
const anyFields = fc
  .dictionary(anyText, anyValue, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
  .filter((one) => !Object.hasOwn(one, '__proto__'));

describe('fields as an expression in JavaScript', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        const source = printJavascriptFields(fields, readJavascript);
        expect(parseJavascriptFields(source, readJavascript), source).toEqual({ fields });
      }),
    );
  });

  it('have the values that texts with expressions have', () => {
    const fields = {
      a: '{{ input.n }}',
      'b c': 'n: {{ input.n + 1 }}, {{ input.o }}{{ input.none }}',
      c: ['{{ input.t }}'],
    };
    const source = printJavascriptFields(fields, readJavascript);
    const value: unknown = runInNewContext(`(${source})`, { input: { n: 1, o: { x: null }, t: 'é"' } });
    expect(JSON.parse(JSON.stringify(value))).toEqual({ a: 1, 'b c': 'n: 2, {"x":null}', c: ['é"'] });
  });

  it.each([
    ['input.items', /object/],
    ['{ a: input.list.map(x => x) }', /more than/],
    ['{ [input.name]: 1 }', /more than/],
    ['{ a: "{{ x }}" }', /more than/],
    ['{ __proto__: input }', /more than/],
    ['{ ...input }', /more than/],
    ['{ a: ', /error/],
  ])('%s is no list of fields', (source, reason) =>
    expect(parseJavascriptFields(source, readJavascript)).toMatchObject({
      reason: expect.stringMatching(reason) as string,
    }),
  );
});
