import { expect, test } from 'vitest';
import { LruCache } from './lru';

test('the least recently used entries go first, by number and by weight', () => {
  const cache = new LruCache<string>(3, 10);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 1);
  expect(cache.get('a')).toBe('a');
  cache.set('d', 'd', 1);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd']);
  cache.set('e', 'e', 9);
  expect(['c', 'd', 'e'].map((key) => cache.get(key))).toEqual([undefined, 'd', 'e']);
});

test('an entry that is set again counts once', () => {
  const cache = new LruCache<number>(10, 10);
  cache.set('other', 0, 1);
  for (let n = 0; n < 100; n += 1) cache.set('same', n, 5);
  expect([cache.get('other'), cache.get('same')]).toEqual([0, 99]);
});
