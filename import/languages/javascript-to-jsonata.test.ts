import fc from 'fast-check';
import { expect, it } from 'vitest';
import { convertJavascript } from './javascript-to-jsonata';
import { evaluateJavascript, evaluateJsonata } from './testing/evaluation';
import { anyScope } from './testing/any-scope';

const anyName = fc.constantFrom('.a', '?.b', '?.list', '.text', '?.["c d"]', '?.[0]', '[0]');
const anyPath = fc
  .tuple(fc.constantFrom('input', 'nodes'), fc.array(anyName, { minLength: 1, maxLength: 3 }))
  .map(([root, steps]) => [root, ...steps].join(''));
const anyLiteral = fc.oneof(
  fc.constantFrom('"x"', '"Ada"', '""', 'null', 'true', 'false'),
  fc.integer({ min: 0, max: 9 }).map(String),
);
const { expression: anyExpression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyPath,
    anyLiteral,
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('===', '!==', '<', '>=', '+', '-', '*', '&&', '||', '??'),
        tie('expression'),
      )
      .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([one, two, three]) => `(${one}) ? (${two}) : (${three})`),
    tie('expression').map((one) => `!(${one})`),
    fc.tuple(anyPath, fc.constantFrom('== null', '!= null', '=== undefined')).map(([path, test]) => `${path} ${test}`),
    fc
      .tuple(
        anyPath,
        fc.constantFrom(
          '?.toUpperCase()',
          '?.length',
          '?.map((x) => x?.a)',
          '?.filter((x) => x === "x")',
          '?.find((x) => x?.a === 1)',
          '?.includes("x")',
          '?.join("-")',
          '?.split("d")',
          '?.slice(1, 3)',
          '?.startsWith("A")',
        ),
      )
      .map(([path, call]) => path + call),
    fc.tuple(tie('expression'), tie('expression')).map(([one, two]) => `({ k: ${one}, l: [${two}] })`),
    fc.tuple(tie('expression')).map(([one]) => `\`a \${${one}}\``),
    fc.tuple(tie('expression')).map(([one]) => `typeof (${one}) === "string"`),
    tie('expression').map((one) => `Math.floor(${one})`),
  ),
}));

it('JavaScript as JSONata has equal results for the data, wherever there is no doubt', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anyExpression, anyScope, async (source, scope) => {
      const converted = convertJavascript(source, scope);
      fc.pre('text' in converted && converted.doubts.length === 0);
      compared += 1;
      const [before, after] = [evaluateJavascript(source, scope), await evaluateJsonata(converted.text, scope)];
      expect(after, `${source} → ${converted.text} with ${JSON.stringify(scope)}`).toEqual(before);
    }),
  );
  expect(compared).toBeGreaterThan(0);
});

it.each([
  ['nothing among objects', [{ a: false }, null]],
  ['an object without the field', [{ a: 1 }, {}]],
  ['a field of another type', [{ a: 1 }, { a: [1] }]],
])('the items of a list are in doubt if they differ: %s', (_, items) => {
  expect(convertJavascript('input.map((x) => x?.a)', { input: items })).toMatchObject({
    doubts: [{ reason: 'The items of the list differ' }],
  });
});
