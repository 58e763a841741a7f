import { expect, test } from 'vitest';
import type { ExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import type { FieldConversion } from '@/import/languages/convert-definition';
import { proveConversions } from './prove-conversion';

const field = (nodeId: string, source: string, isDoubtful = true): FieldConversion => ({
  path: [],
  nodeId,
  field: 'config.a',
  source,
  text: `${source} in JavaScript`,
  isBare: true,
  doubts: isDoubtful ? [{ reason: 'a doubt', position: 0 }] : [],
});
/** Results by language and text. */
const evaluate: ExpressionEvaluator = ({ language, texts }) =>
  Promise.resolve(
    texts.map(({ value }) => {
      const text = String(value);
      if (text.startsWith('fails')) return { problem: { message: 'no', source: null, position: 0 } };
      if (text.startsWith('broken') && language === 'javascript')
        return { problem: { message: 'Cannot read', source: null, position: 0 } };
      return { value: text.startsWith('differs') ? [language] : { same: 1 }, problem: null };
    }),
  );

test('a conversion is proven by equal results, or by having no doubt', async () => {
  const fields = [
    field('certain', 'x', false),
    field('equal', 'same'),
    field('other', 'differs'),
    field('failing', 'fails'),
    field('broken', 'broken'),
    field('unknown', 'same'),
  ];
  const scope = { input: 1 };
  const judged = await proveConversions(
    fields,
    'javascript',
    ({ nodeId }) => (nodeId === 'unknown' ? undefined : scope),
    evaluate,
  );
  expect(Object.fromEntries(judged.map(({ nodeId, doubt }) => [nodeId, doubt]))).toEqual({
    certain: undefined,
    equal: undefined,
    other: expect.stringContaining('another one') as string,
    failing: expect.stringContaining('fails') as string,
    broken: expect.stringContaining('Cannot read') as string,
    unknown: 'a doubt',
  });
});
