import { expect, it } from 'vitest';
import { putRecentFirst } from './recent';

it('puts recent entries first, and leaves out those that are not offered', () => {
  const entries = ['a', 'b', 'c'].map((id) => ({ id, group: 'Pages' }));
  expect(putRecentFirst(entries, ['c', 'of another workspace', 'a'])).toEqual([
    { id: 'c', group: 'Recent' },
    { id: 'a', group: 'Recent' },
    { id: 'b', group: 'Pages' },
  ]);
});
