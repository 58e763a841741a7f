import type { Node as FlowNode, NodeChange, XYPosition } from '@xyflow/react';
import type { Definition, NodeGroup, Note } from '@/contract/workflows/workflow';
import { cardsOf, type Card, type Catalogue } from './flow';
import { cornerOf, drawnAs, FRAME, placesIn, withGroups } from './groups';
import { noteTitle } from './notes';
import { CARD } from './layout/card';
import { startIdOf, triggerItems, type TriggerItem } from './triggers';

export type Sheet = FlowNode<{ note: Note }, 'note'>;
export type Frame = FlowNode<{ group: NodeGroup }, 'frame'>;

/** An item of the definition on the canvas: a node card, a note, or the frame of a group. */
export type Item = Card | Sheet | Frame;

/** Anything that is drawn on the canvas. */
export type DrawnItem = Item | TriggerItem;

// Below the connections, also when React Flow raises selected items by 1000.
const BELOW = { frame: -3000, note: -5000 };

/** The definition as React Flow draws it. Unchanged items keep their identity, so that they don't render again. */
export function itemsOf(definition: Definition, catalogue: Catalogue, previous: Item[] = []): Item[] {
  const before = new Map(previous.map((item) => [item.id, item]));
  const cards = cardsOf(definition, catalogue, drawnAs(definition), previous.filter(isCard));
  const { notes = [] } = definition;
  const { groups = [] } = withGroups(definition, definition.groups ?? []);
  if (notes.length + groups.length === 0) return cards;
  const sheets = notes.map((note): Sheet => {
    const old = before.get(note.id);
    if (old?.type === 'note' && old.data.note === note && isAt(old.position, note.position)) return old;
    const look = { position: note.position, ...note.size, zIndex: BELOW.note, ariaLabel: `Note: ${noteTitle(note)}` };
    return { ...(old?.type === 'note' ? old : {}), id: note.id, type: 'note', data: { note }, ...look };
  });
  const frames = groups.map((group): Frame => {
    const old = before.get(group.id);
    return {
      ...(old?.type === 'frame' ? old : {}),
      id: group.id,
      type: 'frame',
      position: old?.position ?? { x: 0, y: 0 },
      data: old?.type === 'frame' && old.data.group === group ? old.data : { group },
      ariaLabel: `Group: ${group.name}`,
    };
  });
  return framed([...sheets, ...frames, ...cards]);
}

export const isCard = (item: DrawnItem): item is Card => item.type === 'card';
const isAt = (a: XYPosition, b: XYPosition) => a.x === b.x && a.y === b.y;

/** Fits each frame to the current positions of its cards. */
export function framed(items: Item[]): Item[] {
  if (!items.some(({ type }) => type === 'frame')) return items;
  const cards = new Map(items.flatMap((item) => (isCard(item) ? [[item.id, item] as const] : [])));
  const places = new Map([...cards].map(([id, { position }]) => [id, position]));
  return items.map((item) => {
    if (item.type !== 'frame') return item;
    const { group } = item.data;
    const position = cornerOf(group, places);
    const members = group.nodeIds.flatMap((id) => cards.get(id) ?? []);
    const size = group.isCollapsed
      ? { width: CARD.width, height: CARD.height }
      : {
          width: Math.max(...members.map((card) => card.position.x + widthOf(card))) - position.x + FRAME.side,
          height: Math.max(...members.map((card) => card.position.y + heightOf(card))) - position.y + FRAME.bottom,
        };
    const isSame = isAt(item.position, position) && item.width === size.width && item.height === size.height;
    return isSame ? item : dressed({ ...item, position, ...size });
  });
}

/** An expanded frame is in the background and ignores the pointer; a collapsed one is a card. */
const dressed = (frame: Frame): Frame => ({
  ...frame,
  zIndex: frame.data.group.isCollapsed ? 0 : BELOW.frame,
  style: frame.data.group.isCollapsed ? undefined : { pointerEvents: 'none' },
});

const widthOf = ({ measured }: Card) => measured?.width ?? CARD.width;
const heightOf = ({ measured }: Card) => measured?.height ?? CARD.height;

/** The items with the triggers of the workflow before its start node. An item that is dragged over them does not move them. */
export function withTriggers(items: Item[], definition: Definition, triggerIds: readonly string[]): DrawnItem[] {
  if (triggerIds.length === 0) return items;
  const startId = startIdOf(definition);
  const placed = items.flatMap((item) => {
    if (item.hidden || (item.dragging && item.id !== startId)) return [];
    const size = isCard(item) ? { width: widthOf(item), height: heightOf(item) } : sizeOf(item);
    return [{ id: item.id, ...item.position, ...size }];
  });
  return [...items, ...triggerItems(triggerIds, startId, placed)];
}

const sizeOf = ({ width = CARD.width, height = CARD.height }: Sheet | Frame) => ({ width, height });

/** The new positions of a drag: a frame moves the nodes of its group. */
export function moves(definition: Definition, changes: NodeChange<Item>[]): Map<string, XYPosition> {
  const to = new Map(
    changes.flatMap((change) =>
      change.type === 'position' && change.position ? [[change.id, change.position] as const] : [],
    ),
  );
  const dragged = (definition.groups ?? []).filter(({ id }) => to.has(id));
  if (dragged.length === 0) return to;
  const places = placesIn(definition);
  for (const group of dragged) {
    const [was, is] = [cornerOf(group, places), to.get(group.id) ?? { x: 0, y: 0 }];
    for (const id of group.nodeIds) {
      const place = places.get(id);
      if (place && !to.has(id)) to.set(id, { x: place.x + is.x - was.x, y: place.y + is.y - was.y });
    }
  }
  return to;
}
