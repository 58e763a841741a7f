// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ListPagination } from './ListPagination';

afterEach(cleanup);

function showPage(page: number, total: number, isPlaceholderData = false) {
  const onChange = vi.fn<(page: number) => void>();
  const query = { data: { total }, isPlaceholderData };
  render(<ListPagination query={query} perPage={25} page={page} onChange={onChange} />, { wrapper: MantineProvider });
  return onChange;
}

test('a page beyond the end of a list leads to its last page', () => {
  expect(showPage(9, 60)).toHaveBeenCalledExactlyOnceWith(3);
  expect(showPage(2, 25)).toHaveBeenCalledExactlyOnceWith(1);
  expect(showPage(2, 0)).toHaveBeenCalledExactlyOnceWith(1);
  expect(showPage(3, 60)).not.toHaveBeenCalled();
  expect(showPage(1, 0)).not.toHaveBeenCalled();
});

test('the number of items of an earlier search says nothing about the page', () => {
  expect(showPage(9, 60, true)).not.toHaveBeenCalled();
});
