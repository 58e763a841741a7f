// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useRunPages } from './useRunPages';

const FIRST = '2026-11-28T09:00:00.000Z';

test('pages keep the time of the newest run until the first page is shown again', () => {
  const { result } = renderHook(() => useRunPages('status=failed'));
  act(() => result.current.goToNext(25, FIRST));
  act(() => result.current.goToNext(125, '2026-11-27T09:00:00.000Z'));
  expect(result.current).toMatchObject({ offset: 125, until: FIRST });
  act(() => result.current.goToPrevious());
  expect(result.current).toMatchObject({ offset: 25, until: FIRST });
  act(() => result.current.goToPrevious());
  expect(result.current).toMatchObject({ offset: 0, until: undefined });
});

test('another address begins on the first page', () => {
  const { result, rerender } = renderHook(({ place }) => useRunPages(place), { initialProps: { place: '' } });
  act(() => result.current.goToNext(25, FIRST));
  rerender({ place: 'status=failed' });
  expect(result.current).toMatchObject({ offset: 0, until: undefined });
});
