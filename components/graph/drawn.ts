import type { XYPosition } from '@xyflow/react';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { partOwnerId, replacePartOwner } from './agent-parts';

/** Room that an open loop needs more than its card: what lies behind `at` moves by `by`. */
export interface LoopSpread {
  at: XYPosition;
  by: XYPosition;
}

/** The body of an open loop, or the definition around all of them: what is drawn of it, and where. */
export interface DrawnScope {
  /** The ids of the loops from the outside in; empty: the definition around. */
  path: readonly string[];
  /** The id of the loop as it is drawn; undefined: the definition around. */
  frameId: string | undefined;
  size: { width: number; height: number };
  body: WorkflowDefinition;
  /** What is added to the positions of its nodes. */
  shift: XYPosition;
  spreads: readonly LoopSpread[];
  /** Its nodes by the ids with which they are drawn. */
  nodes: ReadonlyMap<string, { own: WorkflowNode; drawn: WorkflowNode }>;
}

/** A definition with the bodies of open loops among its nodes. They have ids and positions of their own there. */
export interface DrawnDefinition extends WorkflowDefinition {
  /** The definition around first. Absent: no loop is open. */
  scopes?: readonly DrawnScope[];
}

export const hasLoopBody = ({ type }: Pick<WorkflowNode, 'type'>): boolean => type === 'for_each' || type === 'repeat';

/** The id with which a node in an open loop is drawn. */
export const drawnNodeId = (path: readonly string[], id: string): string => [...path, id].join('/');

/** The scope in which a node, or a part of an agent, is drawn; undefined: no loop is open. */
export const findDrawnScope = ({ scopes }: DrawnDefinition, drawnId: string): DrawnScope | undefined => {
  const owner = partOwnerId(drawnId);
  return scopes?.find(({ nodes }) => nodes.has(owner));
};

/** The id that a drawn node, or a part of an agent, has in its own definition. */
export function ownIdInScope({ nodes }: DrawnScope, drawnId: string): string | undefined {
  const own = nodes.get(partOwnerId(drawnId))?.own.id;
  return own === undefined ? undefined : replacePartOwner(drawnId, own);
}

/** Whether two nodes are in the same definition, so that a connection between them is possible. */
export const areInOneScope = (definition: DrawnDefinition, a: string, b: string): boolean =>
  findDrawnScope(definition, a) === findDrawnScope(definition, b);
