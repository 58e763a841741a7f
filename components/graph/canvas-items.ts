import type { Node as FlowNode, NodeChange, XYPosition } from '@xyflow/react';
import type { WorkflowDefinition, NodeGroup, CanvasNote } from '@/contract/workflows/workflow';
import type { AgentPartItem } from './agent-part-items';
import { agentPartsHeight } from './agent-parts';
import { buildNodeCards, type NodeCardItem, type NodeTypesByName } from './cards-and-edges';
import { groupFrameCorner, drawnIdMapper, GROUP_FRAME_PADDING, nodePositions, setDefinitionGroups } from './groups';
import { type DrawnDefinition } from './drawn';
import { nodeIdsInFrame } from './frames';
import { noteTitle } from './notes';
import { CARD_SIZE } from './layout/card';
import { drawnStartId, buildTriggerItems, type DrawnTrigger, type TriggerItem } from './trigger-items';

export type NoteCanvasItem = FlowNode<{ note: CanvasNote }, 'note'>;
export type GroupFrameItem = FlowNode<{ group: NodeGroup }, 'frame'>;

/** An item of the definition on the canvas: a node card, a note, or the frame of a group. */
export type DefinitionItem = NodeCardItem | NoteCanvasItem | GroupFrameItem;

/** Anything that is drawn on the canvas. */
export type CanvasItem = DefinitionItem | TriggerItem | AgentPartItem;

// Notes and frames stay below the connections, also when React Flow raises selected items by 1000.
const BACKGROUND_Z_INDEX = { loop: -2500, frame: -3000, note: -5000 };

/** The definition as React Flow draws it. Unchanged items keep their identity, so that they don't render again. */
export function buildDefinitionItems(
  definition: DrawnDefinition,
  catalogue: NodeTypesByName,
  previous: DefinitionItem[] = [],
): DefinitionItem[] {
  const before = new Map(previous.map((item) => [item.id, item]));
  const all = buildNodeCards(definition, catalogue, drawnIdMapper(definition), previous.filter(isNodeCardItem));
  const frameSizes = new Map((definition.scopes ?? []).map(({ frameId, size }) => [frameId, size]));
  const cards = all.map((card) => frameOpenLoop(card, frameSizes.get(card.id)));
  const { notes = [] } = definition;
  const { groups = [] } = setDefinitionGroups(definition, definition.groups ?? []);
  if (notes.length + groups.length === 0) return cards;
  const sheets = notes.map((note): NoteCanvasItem => {
    const old = before.get(note.id);
    if (old?.type === 'note' && old.data.note === note && hasPosition(old.position, note.position)) return old;
    const look = {
      position: note.position,
      ...note.size,
      zIndex: BACKGROUND_Z_INDEX.note,
      ariaLabel: `Note: ${noteTitle(note)}`,
    };
    return { ...(old?.type === 'note' ? old : {}), id: note.id, type: 'note', data: { note }, ...look };
  });
  const frames = groups.map((group): GroupFrameItem => {
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
  return fitGroupFrames([...sheets, ...frames, ...cards]);
}

/** An open loop is a frame behind the nodes of its body, which ignores the pointer except at its head. */
function frameOpenLoop(card: NodeCardItem, size: { width: number; height: number } | undefined): NodeCardItem {
  if (!size)
    return card.type === 'card'
      ? card
      : {
          ...card,
          type: 'card',
          width: undefined,
          height: undefined,
          measured: undefined,
          zIndex: undefined,
          style: undefined,
        };
  if (card.type === 'loop' && card.width === size.width && card.height === size.height) return card;
  return {
    ...card,
    ...size,
    type: 'loop',
    measured: size,
    handles: undefined,
    zIndex: BACKGROUND_Z_INDEX.loop,
    style: { pointerEvents: 'none' },
  };
}

export const isNodeCardItem = (item: CanvasItem): item is NodeCardItem => item.type === 'card' || item.type === 'loop';
const hasPosition = (a: XYPosition, b: XYPosition) => a.x === b.x && a.y === b.y;

/** Fits each frame to the current positions of its cards. */
export function fitGroupFrames(items: DefinitionItem[]): DefinitionItem[] {
  if (!items.some(({ type }) => type === 'frame')) return items;
  const cards = new Map(items.flatMap((item) => (isNodeCardItem(item) ? [[item.id, item] as const] : [])));
  const places = new Map([...cards].map(([id, { position }]) => [id, position]));
  return items.map((item) => {
    if (item.type !== 'frame') return item;
    const { group } = item.data;
    const position = groupFrameCorner(group, places);
    const members = group.nodeIds.flatMap((id) => cards.get(id) ?? []);
    const size = group.isCollapsed
      ? { width: CARD_SIZE.width, height: CARD_SIZE.height }
      : {
          width:
            Math.max(...members.map((card) => card.position.x + measuredCardWidth(card))) -
            position.x +
            GROUP_FRAME_PADDING.side,
          height:
            Math.max(...members.map((card) => card.position.y + measuredCardHeight(card))) -
            position.y +
            GROUP_FRAME_PADDING.bottom,
        };
    const isSame = hasPosition(item.position, position) && item.width === size.width && item.height === size.height;
    return isSame ? item : styleGroupFrame({ ...item, position, ...size });
  });
}

/** An expanded frame is in the background and ignores the pointer; a collapsed one is a card. */
const styleGroupFrame = (frame: GroupFrameItem): GroupFrameItem => ({
  ...frame,
  zIndex: frame.data.group.isCollapsed ? 0 : BACKGROUND_Z_INDEX.frame,
  style: frame.data.group.isCollapsed ? undefined : { pointerEvents: 'none' },
});

const measuredCardWidth = ({ measured }: NodeCardItem) => measured?.width ?? CARD_SIZE.width;
/** With the room for the parts of an agent. */
const measuredCardHeight = ({ type, measured, data }: NodeCardItem) =>
  (measured?.height ?? CARD_SIZE.height) + (type === 'card' ? agentPartsHeight(data.node) : 0);

/**
 * The items with the triggers of the workflow, each before its start node. An item that is dragged over them does not
 * move them.
 */
export function addTriggerItems(
  items: DefinitionItem[],
  definition: WorkflowDefinition,
  triggers: readonly DrawnTrigger[],
): CanvasItem[] {
  if (triggers.length === 0) return items;
  const byStart = new Map<string | undefined, string[]>();
  for (const { id, startNodeId } of triggers) {
    const startId = drawnStartId(definition, startNodeId);
    byStart.set(startId, [...(byStart.get(startId) ?? []), id]);
  }
  const placed = items.flatMap((item) => {
    if (item.hidden || (item.dragging && !byStart.has(item.id))) return [];
    const size = isNodeCardItem(item)
      ? { width: measuredCardWidth(item), height: measuredCardHeight(item) }
      : annotationItemSize(item);
    return [{ id: item.id, ...item.position, ...size }];
  });
  const drawn: TriggerItem[] = [];
  for (const [startId, ids] of byStart) {
    const columns = drawn.map(({ id, position, width = 0, height = 0 }) => ({ id, ...position, width, height }));
    drawn.push(...buildTriggerItems(ids, startId, [...placed, ...columns]));
  }
  return [...items, ...drawn];
}

const annotationItemSize = ({
  width = CARD_SIZE.width,
  height = CARD_SIZE.height,
}: NoteCanvasItem | GroupFrameItem) => ({ width, height });

/** The new positions of a drag: a frame moves the nodes of its group, or of the body of its loop. */
export function draggedPositions(
  definition: DrawnDefinition,
  changes: NodeChange<DefinitionItem>[],
): Map<string, XYPosition> {
  const to = new Map(
    changes.flatMap((change) =>
      change.type === 'position' && change.position ? [[change.id, change.position] as const] : [],
    ),
  );
  const dragged = (definition.groups ?? []).filter(({ id }) => to.has(id));
  if (dragged.length === 0 && !definition.scopes) return to;
  const places = nodePositions(definition);
  for (const group of dragged) {
    const [was, is] = [groupFrameCorner(group, places), to.get(group.id) ?? { x: 0, y: 0 }];
    for (const id of group.nodeIds) {
      const place = places.get(id);
      if (place && !to.has(id)) to.set(id, { x: place.x + is.x - was.x, y: place.y + is.y - was.y });
    }
  }
  for (const { frameId } of definition.scopes ?? []) {
    const [was, is] = [places.get(frameId ?? ''), to.get(frameId ?? '')];
    if (frameId === undefined || !was || !is) continue;
    for (const id of nodeIdsInFrame(definition, frameId)) {
      const place = places.get(id);
      if (place && !to.has(id)) to.set(id, { x: place.x + is.x - was.x, y: place.y + is.y - was.y });
    }
  }
  return to;
}
