import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertJsonata } from './jsonata-to-javascript';
import { anyScope } from './testing/any-scope';
import { evaluateJavascript, evaluateJsonata } from './testing/evaluation';

const anyName = fc.constantFrom('a', 'b', 'list', 'text', '`c d`');
const anyPath = fc
  .tuple(
    fc.constantFrom('input', 'nodes'),
    fc.array(
      fc.oneof(
        anyName,
        anyName.map((name) => `${name}[0]`),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([root, steps]) => [root, ...steps].join('.'));
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
        fc.constantFrom('=', '!=', '<', '>=', '+', '-', '*', '&', 'and', 'or', 'in'),
        tie('expression'),
      )
      .map(([one, sign, other]) => `(${one}) ${sign} (${other})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([one, two, three]) => `(${one}) ? (${two}) : (${three})`),
    fc
      .tuple(
        fc.constantFrom(
          'uppercase',
          'lowercase',
          'trim',
          'length',
          'string',
          'exists',
          'not',
          'count',
          'sum',
          'boolean',
          'floor',
        ),
        tie('expression'),
      )
      .map(([name, argument]) => `$${name}(${argument})`),
    fc.tuple(anyPath, tie('expression')).map(([path, test]) => `${path}[${test}]`),
    fc.tuple(anyPath, anyName).map(([path, name]) => `[${path}.{"n": ${name}}]`),
    fc.tuple(anyPath, anyName).map(([path, name]) => `$join([${path}.($string(${name}))], ",")`),
    fc.tuple(tie('expression'), tie('expression')).map(([one, two]) => `{"k": ${one}, "l": [${two}]}`),
    fc.constantFrom(
      '$contains(input.text, "d")',
      '$substring(input.text, 1, 2)',
      '$split(input.text, "d")',
      '$replace(input.text, "d", "t")',
    ),
  ),
}));

describe('JSONata as JavaScript', () => {
  it('has equal results for the data, wherever there is no doubt', async () => {
    let [compared, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyExpression, anyScope, async (source, scope) => {
        const converted = convertJsonata(source, scope);
        if ('reason' in converted) refused += 1;
        fc.pre('text' in converted && converted.doubts.length === 0);
        compared += 1;
        const [before, after] = [await evaluateJsonata(source, scope), evaluateJavascript(converted.text, scope)];
        expect(after, `${source} → ${converted.text} with ${JSON.stringify(scope)}`).toEqual(before);
      }),
    );
    expect(compared).toBeGreaterThan(refused);
  });
});
