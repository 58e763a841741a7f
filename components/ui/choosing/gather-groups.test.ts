import { expect, test } from 'vitest';
import { gatherGroups } from './gather-groups';

test('each group is in one place, where its best entry is', () => {
  const entries = ['Pages 1', 'Runs 1', 'Pages 2', 'Documentation 1', 'Runs 2'].map((id) => ({
    id,
    group: id.replace(/ \d/, ''),
  }));
  expect(gatherGroups(entries).map(({ id }) => id)).toEqual([
    'Pages 1',
    'Pages 2',
    'Runs 1',
    'Runs 2',
    'Documentation 1',
  ]);
});
