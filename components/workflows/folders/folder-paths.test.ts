import { expect, test } from 'vitest';
import { listFolderPaths } from './folder-paths';

const folder = (id: string, name: string, parentId: string | null = null) => ({
  id,
  name,
  parentId,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
});

test('each folder has its whole path; one whose parent is not in the list counts as top level', () => {
  const folders = [
    folder('c', 'Old', 'b'),
    folder('b', 'Leads', 'a'),
    folder('a', 'Sales'),
    folder('d', 'Ads', 'gone'),
  ];
  expect(listFolderPaths(folders)).toEqual([
    { id: 'd', path: 'Ads' },
    { id: 'a', path: 'Sales' },
    { id: 'b', path: 'Sales / Leads' },
    { id: 'c', path: 'Sales / Leads / Old' },
  ]);
});
