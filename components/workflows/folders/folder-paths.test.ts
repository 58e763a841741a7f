import { expect, test } from 'vitest';
import { folderTrail, listFolderPaths, listSubfolders } from './folder-paths';

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

test('a folder has the folders above it, and those in it by name', () => {
  const folders = [folder('a', 'Sales'), folder('c', 'Old', 'b'), folder('b', 'Leads', 'a'), folder('d', 'Ads', 'a')];
  expect(folderTrail(folders, 'c').map(({ name }) => name)).toEqual(['Sales', 'Leads', 'Old']);
  expect(folderTrail(folders, 'gone')).toEqual([]);
  expect(folderTrail(folders, null)).toEqual([]);
  expect(listSubfolders(folders, 'a').map(({ name }) => name)).toEqual(['Ads', 'Leads']);
  expect(listSubfolders([...folders, folder('e', 'Lost', 'gone')], null).map(({ name }) => name)).toEqual([
    'Lost',
    'Sales',
  ]);
});
