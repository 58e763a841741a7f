import { expect, it } from 'vitest';
import { groupConsecutiveSaves } from './version-history';

const version = (number: number, minutes: number, createdBy = 'ada', message = '') => ({
  id: `wfv_${number}`,
  version: number,
  name: 'Orders',
  createdAt: new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString(),
  createdBy,
  author: createdBy,
  message,
  publishedAt: null,
  authorizedBy: null,
});
const numbers = (groups: { version: number }[][]) => groups.map((group) => group.map((each) => each.version));

it('starts a group at a published version', () => {
  const published = { ...version(2, 97), publishedAt: '2026-01-01T00:00:00.000Z' };
  expect(numbers(groupConsecutiveSaves([version(3, 98), published, version(1, 96)]))).toEqual([[3], [2, 1]]);
});

it('groups consecutive saves until another author, a pause or a message', () => {
  const versions = [
    version(9, 200),
    version(8, 199),
    version(7, 198, 'bob'),
    version(6, 197),
    version(5, 100),
    version(4, 99),
    version(3, 98, 'ada', 'As agreed'),
    version(2, 97),
    version(1, 96),
  ];
  expect(numbers(groupConsecutiveSaves(versions))).toEqual([[9, 8], [7], [6], [5, 4], [3], [2, 1]]);
});

it('returns no groups without versions', () => {
  expect(groupConsecutiveSaves([])).toEqual([]);
});
