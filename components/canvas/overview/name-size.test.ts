import { expect, test } from 'vitest';
import { nameSizeAtZoom } from './name-size';

test.each([
  [2, 0],
  [0.75, 0],
  [0.6, 1],
  [0.5, 2],
  [0.35, 3],
  [0.25, 4],
  [0.2, 5],
  [0.1, 6],
])('names at zoom %s have size %s', (zoom, size) => expect(nameSizeAtZoom(zoom)).toBe(size));
