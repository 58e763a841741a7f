import { expect, it } from 'vitest';
import { layOutPicture } from './picture';

const OUTLINE = {
  nodes: [
    { id: 'a', type: 'start', position: { x: 100, y: 100 } },
    { id: 'b', type: 'connector', connectorId: 'hubspot', name: 'Find', position: { x: 420, y: 100 } },
    { id: 'c', type: 'respond', position: { x: 740, y: 280 } },
  ],
  connections: [
    { sourceNode: 'a', sourcePort: 'output', targetNode: 'b', targetPort: 'input' },
    { sourceNode: 'b', sourcePort: 'error', targetNode: 'c', targetPort: 'input' },
    { sourceNode: 'b', sourcePort: 'output', targetNode: 'gone', targetPort: 'input' },
  ],
};

it('draws cards in columns and rows, and the connections between them', () => {
  const picture = layOutPicture(OUTLINE, 'icons');
  expect(picture.cards.map(({ x, y }) => [x, y])).toEqual([
    [6, 6],
    [72, 6],
    [138, 56],
  ]);
  expect(picture.cards[1]).toMatchObject({ type: 'connector', connectorId: 'hubspot', name: 'Find' });
  expect(picture).toMatchObject({ width: 182, height: 100, card: { width: 38, height: 38 } });
  expect(picture.wires).toEqual([
    { path: 'M44 25C58 25 58 25 72 25', isError: false },
    { path: 'M91 44C91 75 114.5 75 138 75', isError: true },
  ]);
});

it('is wider with names, and empty without nodes', () => {
  expect(layOutPicture(OUTLINE, 'names').width).toBeGreaterThan(400);
  expect(layOutPicture({ nodes: [], connections: [] }, 'icons')).toMatchObject({ cards: [], wires: [] });
});

it('draws triggers in a column before the start', () => {
  const picture = layOutPicture({ ...OUTLINE, triggers: ['webhook', 'schedule'] }, 'icons');
  expect(picture.triggers).toEqual([
    { kind: 'webhook', x: 6, y: 6 },
    { kind: 'schedule', x: 6, y: 56 },
  ]);
  expect(picture.cards[0]).toMatchObject({ x: 72, y: 31 });
  expect(picture.wires).toHaveLength(4);
  expect(picture.width).toBe(248);
});
