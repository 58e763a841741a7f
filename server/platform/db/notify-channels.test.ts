import { expect, it } from 'vitest';
import { generateOrderedId } from './ids';
import { splitNotifyPayloads } from './notify-channels';

it('packs any number of ids into payloads that PostgreSQL accepts', () => {
  const ids = Array.from({ length: 1000 }, () => generateOrderedId('exec'));
  const packed = splitNotifyPayloads(ids);
  expect(packed.flatMap((payload) => JSON.parse(payload) as string[])).toEqual(ids);
  expect(packed.every((payload) => payload.length <= 7000)).toBe(true);
  expect(splitNotifyPayloads([])).toEqual([]);
});
