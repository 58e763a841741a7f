import type { XYPosition } from '@xyflow/react';
import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import { addNodeToDefinition } from '@/components/graph/edits/edits';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import {
  addNodeAfter,
  addNodeAtEnd,
  findOnlyOpenNode,
  insertOnConnection,
  replaceNodeType,
  type OpenConnectionEnd,
} from '@/components/graph/edits/insert-nodes';
import { addPickedPart } from '../node/agent/agent-edits';
import { applyPickPreset, type PalettePick } from './palette-pick';

/** The place at which the chosen node type is inserted. Positions are canvas coordinates. */
export type NodeInsertion =
  /** After a node; else after the only one with an open output; else at a position. */
  | { kind: 'add'; at: XYPosition; afterId?: string }
  /** Dropped there. */
  | { kind: 'drop'; at: XYPosition }
  | { kind: 'insert'; connection: NodeConnection }
  | { kind: 'continue'; end: OpenConnectionEnd; at: XYPosition }
  | { kind: 'replace'; id: string }
  /** As a part of an agent. */
  | { kind: 'part'; agentId: string };

/** Inserts the picked node, or part of an agent. Returns the new definition and its id. */
export function insertPickedNode(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  pick: PalettePick,
  insertion: NodeInsertion,
) {
  if (insertion.kind === 'part') return addPickedPart(definition, insertion.agentId, pick);
  const added = placeNewNode(definition, catalogue, pick, insertion);
  return added && { ...added, definition: applyPickPreset(added.definition, added.id, pick) };
}

function placeNewNode(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  { nodeType: type }: PalettePick,
  insertion: Exclude<NodeInsertion, { kind: 'part' }>,
) {
  switch (insertion.kind) {
    case 'add': {
      const place = furtherStartPosition(definition, catalogue, type);
      if (place) return addNodeToDefinition(definition, type, place);
      const previous =
        definition.nodes.find(({ id }) => id === insertion.afterId) ??
        (type.ports.inputs.length > 0 ? findOnlyOpenNode(definition, catalogue) : undefined);
      return previous
        ? addNodeAfter(definition, catalogue, type, previous)
        : addNodeToDefinition(definition, type, insertion.at);
    }
    case 'drop':
      return addNodeToDefinition(definition, type, insertion.at);
    case 'insert':
      return insertOnConnection(definition, catalogue, type, insertion.connection);
    case 'continue':
      return addNodeAtEnd(definition, catalogue, type, insertion.end, insertion.at);
    case 'replace':
      return { id: insertion.id, definition: replaceNodeType(definition, catalogue, insertion.id, type) };
  }
}

/** Space between the lowest card and a further start node below it, with room for its triggers. */
const FURTHER_START_GAP = 160;

/**
 * Where a further start node goes: below everything else, in the column of the first one, so that its triggers fit
 * before it.
 */
function furtherStartPosition(
  { nodes }: WorkflowDefinition,
  catalogue: NodeTypesByName,
  { type }: PalettePick['nodeType'],
): XYPosition | undefined {
  const isStart = (name: string) => catalogue.get(name)?.ports.inputs.length === 0;
  const first = isStart(type) ? nodes.find((node) => isStart(node.type)) : undefined;
  return first && { x: first.position.x, y: Math.max(...nodes.map(({ position }) => position.y)) + FURTHER_START_GAP };
}
