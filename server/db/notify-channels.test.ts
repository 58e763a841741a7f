import { expect, it } from 'vitest';
import { newOrderedId } from './ids';
import { payloads } from './notify-channels';

it('packs any number of ids into payloads that PostgreSQL accepts', () => {
  const ids = Array.from({ length: 1000 }, () => newOrderedId('exec'));
  const packed = payloads(ids);
  expect(packed.flatMap((payload) => JSON.parse(payload) as string[])).toEqual(ids);
  expect(packed.every((payload) => payload.length <= 7000)).toBe(true);
  expect(payloads([])).toEqual([]);
});
