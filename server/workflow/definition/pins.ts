import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import type { DatabaseClient } from '@/server/platform/db/client';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';

type PinnedOutputs = Readonly<Record<string, unknown>>;

/**
 * Types whose output cannot be pinned: that of a start node is the input of the run, and an approval needs a decision.
 */
const UNPINNABLE_TYPES = new Set(['start', 'approval']);

export const isPinnable = ({ type }: WorkflowNode): boolean => !UNPINNABLE_TYPES.has(type);

/** The node that a pin is of: at an id, or inside of loops at a path such as `loop[].inner`. */
export function findPinnedNode({ nodes }: WorkflowDefinition, path: string): WorkflowNode | undefined {
  const [id, ...inner] = path.split('[].');
  let node = nodes.find((one) => one.id === id);
  for (const innerId of inner) node = node && listInnerNodes(node).find((one) => one.node.id === innerId)?.node;
  return node;
}

/**
 * The pins that a run uses: of nodes outside of loops that leave by their port `output`. A pin has no port, so the run
 * decides at nodes with several.
 */
export function pinsForRun({ nodes, connections }: WorkflowDefinition, pins: PinnedOutputs): PinnedOutputs {
  const branching = new Set(
    connections.flatMap(({ sourceNode, sourcePort }) =>
      sourcePort === 'output' || sourcePort === 'error' ? [] : [sourceNode],
    ),
  );
  const used = nodes.filter((node) => Object.hasOwn(pins, node.id) && isPinnable(node) && !branching.has(node.id));
  return Object.fromEntries(used.map(({ id }) => [id, pins[id]]));
}

/** Tells editors of these workflows that pins have changed, with the commit. */
export const notifyPinsChanged = (db: DatabaseClient, workflowId: string): Promise<number> =>
  db.$executeRaw`SELECT pg_notify(${NOTIFY_CHANNELS.pins}, payload) FROM unnest(${splitNotifyPayloads([workflowId])}::text[]) payload`;

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
