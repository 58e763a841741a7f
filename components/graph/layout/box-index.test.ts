import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CanvasBox } from '../viewport';
import { BoxIndex } from './box-index';

const boxes = fc.record({
  x: fc.integer({ min: -3000, max: 3000 }),
  y: fc.integer({ min: -3000, max: 3000 }),
  width: fc.integer({ min: 1, max: 900 }),
  height: fc.integer({ min: 1, max: 900 }),
});
const areas = fc.oneof(boxes, fc.constant({ x: -50_000, y: -50_000, width: 100_000, height: 100_000 }));

const overlap = (one: CanvasBox, other: CanvasBox) =>
  one.x < other.x + other.width &&
  one.x + one.width > other.x &&
  one.y < other.y + other.height &&
  one.y + one.height > other.y;

it('finds the boxes that an area overlaps, each once', () => {
  fc.assert(
    fc.property(fc.array(boxes, { maxLength: 40 }), areas, (all, area) => {
      const named = new Map(all.map((box, at) => [String(at), box]));
      const found = new BoxIndex(named).overlapping(area).map(({ id }) => id);
      const expected = [...named].flatMap(([id, box]) => (overlap(box, area) ? [id] : []));
      expect(found.toSorted()).toEqual(expected.toSorted());
    }),
  );
});
