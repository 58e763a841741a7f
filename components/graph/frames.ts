import type { XYPosition } from '@xyflow/react';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { drawnNodeId, hasLoopBody, type DrawnDefinition, type DrawnScope, type LoopSpread } from './drawn';
import { agentPartsHeight } from './agent-parts';
import { definitionAtPath } from './body';
import { connectionsBySource, outputPorts, type NodeTypesByName } from './cards-and-edges';
import { CARD_SIZE, cardHeightForOutputs } from './layout/card';

/** The space in the frame of a loop around the nodes of its body: at the right for the plus button of the last one. */
export const LOOP_FRAME_PADDING = { left: 32, right: 68, top: 112, bottom: 56 };
const MIN_FRAME_WIDTH = 460;

interface Bounds {
  min: XYPosition;
  max: XYPosition;
}

interface PlacedScope {
  path: readonly string[];
  body: WorkflowDefinition;
  spreads: LoopSpread[];
  bounds: Bounds;
  inner: Map<string, PlacedScope>;
  size: { width: number; height: number };
}

/** Measures a definition and the open loops in it, from the inside out. */
function placeScope(
  whole: WorkflowDefinition,
  path: readonly string[],
  isOpen: (path: readonly string[]) => boolean,
  catalogue: NodeTypesByName,
  isAround = false,
): PlacedScope {
  const body = definitionAtPath(whole, path);
  const inner = new Map(
    body.nodes
      .filter((node) => hasLoopBody(node) && isOpen([...path, node.id]))
      .map((node) => [node.id, placeScope(whole, [...path, node.id], isOpen, catalogue)]),
  );
  const leaving = isAround ? new Map<string, NodeConnection[]>() : connectionsBySource(body);
  const sizeOf = (node: WorkflowNode) => {
    const frame = inner.get(node.id);
    const ports = outputPorts(node, catalogue.get(node.type), leaving.get(node.id) ?? []).length;
    return frame?.size ?? { width: CARD_SIZE.width, height: cardHeightForOutputs(ports) + agentPartsHeight(node) };
  };
  const spreads = body.nodes.flatMap((node): LoopSpread[] => {
    const frame = inner.get(node.id);
    if (!frame) return [];
    const { x, y } = node.position;
    return [
      {
        at: { x: x + CARD_SIZE.width / 2, y: y + CARD_SIZE.height / 2 },
        by: { x: frame.size.width - CARD_SIZE.width, y: frame.size.height - CARD_SIZE.height },
      },
    ];
  });
  const bounds: Bounds = { min: { x: Infinity, y: Infinity }, max: { x: -Infinity, y: -Infinity } };
  // The definition around has no frame, and may be large.
  for (const node of isAround ? [] : body.nodes) {
    const { x, y } = spreadPosition(node.position, spreads);
    const { width, height } = sizeOf(node);
    bounds.min = { x: Math.min(bounds.min.x, x), y: Math.min(bounds.min.y, y) };
    bounds.max = { x: Math.max(bounds.max.x, x + width), y: Math.max(bounds.max.y, y + height) };
  }
  const { left, right, top, bottom } = LOOP_FRAME_PADDING;
  const size = {
    width: Math.max(MIN_FRAME_WIDTH, bounds.max.x - bounds.min.x + left + right),
    height: bounds.max.y - bounds.min.y + top + bottom,
  };
  return { path, body, spreads, bounds, inner, size };
}

/** A position with room for the open loops before it. The order of positions stays. */
function spreadPosition({ x, y }: XYPosition, spreads: readonly LoopSpread[]): XYPosition {
  const moved = { x, y };
  for (const { at, by } of spreads) {
    if (x > at.x) moved.x += by.x;
    if (y > at.y) moved.y += by.y;
  }
  return moved;
}

/** The opposite of `spreadPosition`. A place in the room that was made is the place where this room begins. */
function unspreadPosition({ x, y }: XYPosition, spreads: readonly LoopSpread[]): XYPosition {
  return { x: unspread(x, 'x', spreads), y: unspread(y, 'y', spreads) };
}

function unspread(drawn: number, axis: 'x' | 'y', spreads: readonly LoopSpread[]): number {
  let value = drawn;
  for (const { at, by } of [...spreads].sort((a, b) => a.at[axis] - b.at[axis]))
    if (value > at[axis]) value = Math.max(value - by[axis], at[axis] + 1);
  return value;
}

/** The same copy of a node for the same place, so that its card is not drawn again. */
const drawnNodes = new WeakMap<WorkflowNode, WorkflowNode>();

function drawNode(own: WorkflowNode, id: string, position: XYPosition): WorkflowNode {
  if (own.id === id && own.position.x === position.x && own.position.y === position.y) return own;
  const before = drawnNodes.get(own);
  if (before?.id === id && before.position.x === position.x && before.position.y === position.y) return before;
  const drawn = { ...own, id, position };
  drawnNodes.set(own, drawn);
  return drawn;
}

/**
 * A definition as it is drawn with the bodies of its open loops in frames. `view`: the path of the definition in the
 * workflow. What lies behind a frame makes room for it.
 */
export function drawOpenLoops(
  whole: WorkflowDefinition,
  view: readonly string[],
  isOpen: (path: readonly string[]) => boolean,
  catalogue: NodeTypesByName,
): DrawnDefinition {
  const root = definitionAtPath(whole, view);
  const mayBeOpen = root.nodes.some((node) => hasLoopBody(node) && isOpen([...view, node.id]));
  if (!mayBeOpen) return root;
  const placed = placeScope(whole, view, isOpen, catalogue, true);
  const scopes: DrawnScope[] = [];
  const connections: NodeConnection[] = [];
  const draw = (scope: PlacedScope, shift: XYPosition, frameId: string | undefined) => {
    const path = scope.path.slice(view.length);
    const nodes = new Map(
      scope.body.nodes.map((own) => {
        const { x, y } = spreadPosition(own.position, scope.spreads);
        const id = drawnNodeId(path, own.id);
        return [id, { own, drawn: drawNode(own, id, { x: x + shift.x, y: y + shift.y }) }] as const;
      }),
    );
    const { body, size, spreads } = scope;
    scopes.push({ path: scope.path, frameId, body, size, shift, spreads, nodes });
    for (const connection of scope.body.connections)
      connections.push(
        path.length === 0
          ? connection
          : {
              ...connection,
              sourceNode: drawnNodeId(path, connection.sourceNode),
              targetNode: drawnNodeId(path, connection.targetNode),
            },
      );
    for (const [id, inner] of scope.inner) {
      const frame = drawnNodeId(path, id);
      const { x = 0, y = 0 } = nodes.get(frame)?.drawn.position ?? {};
      const { left, top } = LOOP_FRAME_PADDING;
      draw(inner, { x: x + left - inner.bounds.min.x, y: y + top - inner.bounds.min.y }, frame);
    }
  };
  draw(placed, { x: 0, y: 0 }, undefined);
  const notes = root.notes?.map((note) => ({ ...note, position: spreadPosition(note.position, placed.spreads) }));
  const nodes = scopes.flatMap((scope) => [...scope.nodes.values()].map(({ drawn }) => drawn));
  return { ...root, nodes, connections, ...(notes && { notes }), scopes };
}

/** The definition that an edit of a drawn one means. Unchanged nodes and bodies are the same objects as before. */
export function undrawOpenLoops(drawn: DrawnDefinition, next: DrawnDefinition): WorkflowDefinition {
  const { scopes } = drawn;
  if (!scopes) return next;
  const after = new Map(next.nodes.map((node) => [node.id, node]));
  const scopesByFrame = new Map(scopes.map((scope) => [scope.frameId, scope]));
  const restore = (scope: DrawnScope): WorkflowDefinition => {
    const { body } = scope;
    const offset = scope.frameId === undefined ? { x: 0, y: 0 } : movedBy(scope.frameId);
    const nodes = [...scope.nodes].flatMap(([id, { own, drawn: before }]): WorkflowNode[] => {
      const now = after.get(id);
      if (!now) return [];
      const place = { x: now.position.x - offset.x, y: now.position.y - offset.y };
      const isMoved = place.x !== before.position.x || place.y !== before.position.y;
      const free = { x: place.x - scope.shift.x, y: place.y - scope.shift.y };
      const position = isMoved ? unspreadPosition(free, scope.spreads) : own.position;
      const node = now === before || !isMoved ? own : { ...own, position };
      const inner = scopesByFrame.get(id);
      if (!inner) return [node];
      const innerNext = restore(inner);
      return [innerNext === inner.body ? node : { ...node, config: { ...node.config, body: innerNext } }];
    });
    const connections = next.connections === drawn.connections ? body.connections : ownConnections(scope, next);
    const isSame =
      nodes.length === body.nodes.length &&
      nodes.every((node, index) => node === body.nodes[index]) &&
      (connections === body.connections || JSON.stringify(connections) === JSON.stringify(body.connections));
    return isSame ? body : { ...body, nodes, connections };
  };
  const movedBy = (frameId: string): XYPosition => {
    const before = drawn.nodes.find(({ id }) => id === frameId)?.position ?? { x: 0, y: 0 };
    const now = after.get(frameId)?.position ?? before;
    return { x: now.x - before.x, y: now.y - before.y };
  };
  const [around] = scopes;
  if (!around) return next;
  const { body: root } = around;
  const restored = restore(around);
  if (next.notes === drawn.notes && next.groups === drawn.groups) return restored;
  const notes = next.notes?.map((note) => {
    const before = drawn.notes?.find(({ id }) => id === note.id);
    const own = root.notes?.find(({ id }) => id === note.id);
    const isMoved = before?.position.x !== note.position.x || before.position.y !== note.position.y;
    return { ...note, position: isMoved || !own ? unspreadPosition(note.position, around.spreads) : own.position };
  });
  const { notes: _, groups: __, ...rest } = restored;
  return { ...rest, ...(notes && { notes }), ...(next.groups && { groups: next.groups }) };
}

/** The connections between the nodes of a scope, with their own ids. */
const ownConnections = ({ nodes }: DrawnScope, { connections }: DrawnDefinition): NodeConnection[] =>
  connections.flatMap((connection): NodeConnection[] => {
    const source = nodes.get(connection.sourceNode)?.own.id;
    const target = nodes.get(connection.targetNode)?.own.id;
    if (source === undefined || target === undefined) return [];
    return [{ ...connection, sourceNode: source, targetNode: target }];
  });

/** A place on the canvas as a position in the body in which something is added there. */
export const toScopePosition = ({ shift, spreads }: DrawnScope, { x, y }: XYPosition): XYPosition =>
  unspreadPosition({ x: x - shift.x, y: y - shift.y }, spreads);

/** The innermost open loop at a place of the canvas, or the definition around. Undefined: no loop is open. */
export function findScopeAt({ scopes = [], nodes }: DrawnDefinition, { x, y }: XYPosition): DrawnScope | undefined {
  const hits = scopes.filter(({ frameId, size }) => {
    if (frameId === undefined) return true;
    const corner = nodes.find(({ id }) => id === frameId)?.position;
    return corner && x >= corner.x && y >= corner.y && x <= corner.x + size.width && y <= corner.y + size.height;
  });
  return hits.at(-1);
}

/** The nodes that move with a frame: those in it, and in the frames in it. */
export function nodeIdsInFrame({ scopes = [] }: DrawnDefinition, frameId: string): string[] {
  const scope = scopes.find((one) => one.frameId === frameId);
  return scope
    ? [...scope.nodes.keys()].flatMap((id) => [id, ...nodeIdsInFrame({ scopes, nodes: [], connections: [] }, id)])
    : [];
}
