import { expect, test } from 'vitest';
import { buildDefinitionItems } from '@/components/graph/canvas-items';
import { hidePicturedCards } from './mounted-elements';

const NODES = ['start', 'a', 'b', 'c'].map((id, at) => ({
  id,
  type: 'x',
  position: { x: at * 300, y: 0 },
  config: {},
}));
const NOTE = {
  id: 'note',
  position: { x: 0, y: 200 },
  size: { width: 200, height: 80 },
  text: '',
  color: 'gray',
} as const;
const ITEMS = buildDefinitionItems({ nodes: NODES, connections: [], notes: [NOTE] }, new Map());

const shown = (live: string[], pointedId?: string) =>
  hidePicturedCards(ITEMS, new Set(live), pointedId).flatMap(({ id, hidden }) => (hidden ? [] : [id]));

test('notes, the first card, live cards and the card under the pointer stay elements', () => {
  expect(shown([])).toEqual(['note', 'start']);
  expect(shown(['b'], 'c')).toEqual(['note', 'start', 'b', 'c']);
});

test('a hidden card is the same as before while its card is', () => {
  const [before, after] = [hidePicturedCards(ITEMS, new Set(), undefined), hidePicturedCards(ITEMS, new Set(), 'a')];
  expect(after.find(({ id }) => id === 'b')).toBe(before.find(({ id }) => id === 'b'));
  expect(after.find(({ id }) => id === 'a')).toBe(ITEMS.find(({ id }) => id === 'a'));
});

test('a card that a collapsed group hides stays hidden, and is not in the picture', () => {
  const groups = [{ id: 'g', name: 'Both', nodeIds: ['b', 'c'], isCollapsed: true }];
  const items = buildDefinitionItems({ nodes: NODES, connections: [], groups }, new Map());
  const pictured = hidePicturedCards(items, new Set(), undefined).filter((item) => 'isPictured' in item);
  expect(pictured.map(({ id }) => id)).toEqual(['a']);
});
