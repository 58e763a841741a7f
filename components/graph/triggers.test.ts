import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTriggerItems, buildDefinitionItems } from './canvas-items';
import {
  placeTriggerColumn,
  drawnStartId,
  TRIGGER_CARD_SIZE,
  buildTriggerItems,
  type TriggerItem,
} from './trigger-items';
import { indexNodeTypes } from './cards-and-edges';
import { draw, node, START } from './testing/graph';

const card = (id: string, x: number, y: number) => ({ id, x, y, width: 236, height: 60 });

const box = fc.record({
  x: fc.integer({ min: -2000, max: 2000 }),
  y: fc.integer({ min: -2000, max: 2000 }),
  width: fc.integer({ min: 1, max: 600 }),
  height: fc.integer({ min: 1, max: 600 }),
});

test('the column stands left of the start node and overlaps nothing', () => {
  fc.assert(
    fc.property(box, fc.integer({ min: 1, max: 9 }), fc.array(box, { maxLength: 20 }), (anchor, count, others) => {
      const column = placeTriggerColumn(anchor, count, others);
      expect(column.x + column.width).toBeLessThan(anchor.x);
      for (const { x, y, width, height } of others) {
        const isApart =
          x >= column.x + column.width ||
          x + width <= column.x ||
          y >= column.y + column.height ||
          y + height <= column.y;
        expect(isApart).toBe(true);
      }
    }),
  );
});

test('triggers are centred on the start node, and each line ends at it', () => {
  const items = buildTriggerItems(['a', 'b'], 's', [card('s', 0, 0), card('n', 300, 0)]);
  expect(items.map(({ id }) => id)).toEqual(['trigger a', 'trigger b']);
  for (const { position, data, width, height } of items) {
    expect(position.x + (width ?? 0) + data.line.x).toBe(0);
    expect(position.y + (height ?? 0) / 2 + data.line.y).toBe(30);
  }
  expect((items[1]?.position.y ?? 0) - (items[0]?.position.y ?? 0)).toBe(
    TRIGGER_CARD_SIZE.height + TRIGGER_CARD_SIZE.gap,
  );
});

test('triggers can be neither moved, selected, connected nor deleted', () => {
  const [item] = buildTriggerItems(['a'], 's', [card('s', 0, 0)]);
  expect(item).toMatchObject({ draggable: false, selectable: false, connectable: false, deletable: false });
});

test('there are no triggers without a start item', () => {
  expect(buildTriggerItems(['a'], undefined, [card('s', 0, 0)])).toEqual([]);
  expect(buildTriggerItems(['a'], 'gone', [card('s', 0, 0)])).toEqual([]);
  expect(buildTriggerItems([], 's', [card('s', 0, 0)])).toEqual([]);
});

test('the triggers lead to the enabled start node, or to the collapsed group around it', () => {
  const start = node('s', {}, { type: 'start' });
  const definition = draw([{ ...node('off', {}, { type: 'start' }), disabled: true }, node('n'), start], 's>n');
  expect(drawnStartId(definition)).toBe('s');
  const group = { id: 'g', name: 'G', nodeIds: ['s', 'n'], isCollapsed: true };
  expect(drawnStartId({ ...definition, groups: [group] })).toBe('g');
  expect(drawnStartId(draw([node('n')]))).toBeUndefined();
});

test('each trigger leads to its own start node, and the columns of two start nodes do not overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 5 }), (y, count) => {
      const place = (id: string, at: number) => ({ ...node(id, {}, { type: 'start' }), position: { x: 0, y: at } });
      const definition = draw([place('one', 0), place('two', y)]);
      const triggers = [
        ...Array.from({ length: count }, (_, n) => ({ id: `first ${n}`, startNodeId: 'one' })),
        { id: 'last', startNodeId: 'two' },
        { id: 'any', startNodeId: null },
      ];
      const items = addTriggerItems(buildDefinitionItems(definition, indexNodeTypes([START])), definition, triggers);
      const drawn = items.filter(({ type }) => type === 'trigger') as TriggerItem[];
      expect(drawn).toHaveLength(count + 2);
      const ends = new Map(
        drawn.map(({ position, width = 0, height = 0, data: { triggerId, line } }) => [
          triggerId,
          { x: position.x + width + line.x, y: position.y + height / 2 + line.y },
        ]),
      );
      const [first, second] = [ends.get('any'), ends.get('last')];
      expect([first?.x, second?.x, (second?.y ?? 0) - (first?.y ?? 0)]).toEqual([0, 0, y]);
      for (const [index, one] of drawn.entries())
        for (const other of drawn.slice(index + 1))
          expect(
            Math.abs(one.position.x - other.position.x) >= TRIGGER_CARD_SIZE.width ||
              Math.abs(one.position.y - other.position.y) >= TRIGGER_CARD_SIZE.height,
          ).toBe(true);
    }),
  );
});
