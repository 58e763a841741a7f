import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { DatabaseClient } from '@/server/platform/db/client';
import { notifyPinsChanged } from './stored-parts';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';

type PinnedOutputs = Readonly<Record<string, unknown>>;

/**
 * Types whose output cannot be pinned: that of a start node is the input of the run, and an approval needs a decision.
 */
const UNPINNABLE_TYPES = new Set(['start', 'approval']);

export const isPinnable = ({ type }: WorkflowNode): boolean => !UNPINNABLE_TYPES.has(type);

/**
 * The node that a pin is of: at an id, or inside of loops at a path such as `loop[].inner`. With `each`, `node[]` is a
 * pin of every item, and `node[3]` that of one.
 */
export function findPinnedNode({ nodes }: WorkflowDefinition, path: string): WorkflowNode | undefined {
  const [first = '', ...inner] = path.split('[].');
  let node = findNodeOrItem(nodes, first);
  for (const name of inner) {
    const within: WorkflowNode[] = node ? listInnerNodes(node).map((one) => one.node) : [];
    node = findNodeOrItem(within, name);
  }
  return node;
}

/** The node with an id, or that of an item with `each`: `node[]`, `node[3]`. */
export const findNodeOrItem = (nodes: WorkflowNode[], name: string): WorkflowNode | undefined =>
  nodes.find(({ id }) => id === name) ?? nodes.find(({ id, each }) => each && id === name.replace(/\[\d*\]$/, ''));

/**
 * The pins that a run uses: of nodes outside of loops that leave by their port `output`, and of their items. A pin has
 * no port, so the run decides at nodes with several.
 */
export function pinsForRun({ nodes, connections }: WorkflowDefinition, pins: PinnedOutputs): PinnedOutputs {
  const branching = new Set(
    connections.flatMap(({ sourceNode, sourcePort }) =>
      sourcePort === 'output' || sourcePort === 'error' ? [] : [sourceNode],
    ),
  );
  const used = Object.entries(pins).filter(([path]) => {
    const node = findNodeOrItem(nodes, path);
    return node && isPinnable(node) && !branching.has(node.id);
  });
  return Object.fromEntries(used);
}

/** Removes the pins of nodes that a saved definition no longer has. */
export async function removeStalePins(
  db: DatabaseClient,
  workflowId: string,
  definition: WorkflowDefinition,
): Promise<void> {
  const rows = await db.workflowPin.findMany({ where: { workflowId }, select: { nodeId: true } });
  const stale = rows.map(({ nodeId }) => nodeId).filter((nodeId) => !findPinnedNode(definition, nodeId));
  if (stale.length === 0) return;
  await db.workflowPin.deleteMany({ where: { workflowId, nodeId: { in: stale } } });
  await notifyPinsChanged(db, workflowId);
}
