import type { Definition, Node } from '@/contract/workflows/workflow';
import { CHANNELS, payloads } from '@/server/db/notify-channels';
import type { Db } from '@/server/db/client';
import { nodesInside } from '@/server/nodes/inside';

type Pins = Readonly<Record<string, unknown>>;

/** The output of a start node is the input of the run, and an approval needs a decision. */
const NOT_REPLACED = new Set(['start', 'approval']);

export const isReplaceable = ({ type }: Node): boolean => !NOT_REPLACED.has(type);

/** The node that a pin is of: at an id, or inside of loops at a path such as `loop[].inner`. */
export function pinnedNode({ nodes }: Definition, path: string): Node | undefined {
  const [id, ...inner] = path.split('[].');
  let node = nodes.find((one) => one.id === id);
  for (const innerId of inner) node = node && nodesInside(node).find((one) => one.node.id === innerId)?.node;
  return node;
}

/**
 * The pins that a run uses: of nodes outside of loops that leave by their port `output`. A pin has no port, so the run decides at nodes
 * with several.
 */
export function pinsForRun({ nodes, connections }: Definition, pins: Pins): Pins {
  const branching = new Set(
    connections.flatMap(({ sourceNode, sourcePort }) =>
      sourcePort === 'output' || sourcePort === 'error' ? [] : [sourceNode],
    ),
  );
  const used = nodes.filter((node) => Object.hasOwn(pins, node.id) && isReplaceable(node) && !branching.has(node.id));
  return Object.fromEntries(used.map(({ id }) => [id, pins[id]]));
}

/** Tells editors of these workflows that pins have changed, with the commit. */
export const notifyPins = (db: Db, workflowId: string): Promise<number> =>
  db.$executeRaw`SELECT pg_notify(${CHANNELS.pins}, payload) FROM unnest(${payloads([workflowId])}::text[]) payload`;

/** Removes the pins of nodes that a saved definition no longer has. */
export async function removeStalePins(db: Db, workflowId: string, definition: Definition): Promise<void> {
  const rows = await db.workflowPin.findMany({ where: { workflowId }, select: { nodeId: true } });
  const stale = rows.map(({ nodeId }) => nodeId).filter((nodeId) => !pinnedNode(definition, nodeId));
  if (stale.length === 0) return;
  await db.workflowPin.deleteMany({ where: { workflowId, nodeId: { in: stale } } });
  await notifyPins(db, workflowId);
}
