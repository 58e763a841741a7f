import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLargeJson, LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { sliceItems } from './item-slices';

async function collect(items: unknown[] | LargeJsonText): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const slice of sliceItems(items)) {
    expect(slice.length).toBeGreaterThan(0);
    found.push(...slice);
  }
  return found;
}

test('the slices of a list are the list, whatever its items are', async () => {
  const lists = fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }).map((text) => `${text}\\"[,{`),
    ),
    { maxLength: 700 },
  );
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const stored = JSON.parse(JSON.stringify(list)) as unknown[];
      expect(await collect(stored)).toEqual(stored);
      expect(await collect(new LargeJsonText(JSON.stringify(list)))).toEqual(stored);
    }),
  );
});

test('large items stay text, between small ones', async () => {
  const large = 'x,"'.repeat(40_000);
  const list = [1, large, [large], 2, 3, large];
  const found = await collect(new LargeJsonText(JSON.stringify(list)));
  expect(found.map((item) => (isLargeJson(item) ? (JSON.parse(item.text) as unknown) : item))).toEqual(list);
  expect(found.map(isLargeJson)).toEqual([false, true, true, false, false, true]);
});
