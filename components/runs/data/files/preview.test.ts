import { expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import { choosePreview } from './preview';

const of = (contentType: string, size = 100) =>
  choosePreview({ $file: 'file_1', name: 'x', contentType, size } as FileValue);

test('files are shown by their type, if they are not too large', () => {
  expect(
    ['image/png', 'text/csv; charset=utf-8', 'text/plain', 'application/pdf', 'audio/mpeg', 'video/mp4'].map((type) =>
      of(type),
    ),
  ).toEqual(['image', 'csv', 'text', 'pdf', 'audio', 'video']);
  // It can hold scripts.
  expect(of('image/svg+xml')).toBeUndefined();
  expect(of('application/zip')).toBeUndefined();
  expect(of('image/png', 20 * 1024 * 1024)).toBeUndefined();
  expect(of('text/plain', 2 * 1024 * 1024)).toBeUndefined();
});
