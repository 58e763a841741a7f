import { expect, test } from 'vitest';
import {
  folderPath,
  isFilteredState,
  withoutFilters,
  WORKFLOW_LIST_ADDRESS,
  workflowListQuery,
} from './workflow-address';

const { parse, encode } = WORKFLOW_LIST_ADDRESS;
const read = (text: string) => parse(new URLSearchParams(text));

test('folder, filters, order and page stand in the address', () => {
  const text = 'folder=fld_1&search=mail&status=active&tag=eu&favourites=true&sort=name&page=3';
  expect(encode(read(text))).toBe(text);
  expect(encode(read(''))).toBe('');
  expect(encode(read('sort=size&page=-1&status=odd&other=1'))).toBe('');
});

test('the top level shows what is in no folder, and searches in all of them', () => {
  expect(workflowListQuery(read(''))).toMatchObject({ folderId: 'none', sort: '-createdAt' });
  expect(workflowListQuery(read('search=mail'))).toMatchObject({ folderId: undefined, search: 'mail' });
  expect(workflowListQuery(read('favourites=true'))).toMatchObject({ folderId: undefined, favorite: 'true' });
  expect(workflowListQuery(read('folder=fld_1&tag=eu'))).toMatchObject({ folderId: 'fld_1', tag: 'eu' });
});

test('without filters the folder and the order stay', () => {
  const state = read('folder=fld_1&search=mail&tag=eu&sort=-name&page=2');
  expect(isFilteredState(state)).toBe(true);
  expect(encode(withoutFilters(state))).toBe('folder=fld_1&sort=-name');
  expect(isFilteredState(withoutFilters(state))).toBe(false);
});

test('a folder opens in the order that is chosen', () => {
  expect(folderPath('fld_1', '-name')).toBe('/workflows?folder=fld_1&sort=-name');
  expect(folderPath(null, 'updatedAt')).toBe('/workflows?sort=updatedAt');
  expect(folderPath('fld_1', '-createdAt')).toBe('/workflows?folder=fld_1');
  expect(folderPath(null, '-createdAt')).toBe('/workflows');
});
