import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { reachableNodeIds } from '@/components/graph/walk';

/** The parts of a node that its result depends on, besides its input. */
const resultDependencies = ({ type, config, each, disabled = false, credentialId }: WorkflowNode) =>
  JSON.stringify([type, config, each, disabled, credentialId]);

const incomingConnectionKey = (connections: NodeConnection[], id: string) =>
  connections
    .filter(({ targetNode }) => targetNode === id)
    .map(({ sourceNode, sourcePort, targetPort }) => `${sourceNode} ${sourcePort} ${targetPort}`)
    .sort()
    .join();

/** Nodes whose results of `then` are outdated: the changed ones and all nodes downstream. */
export function findOutdatedNodes(now: WorkflowDefinition, then: WorkflowDefinition): ReadonlySet<string> {
  if (now === then) return new Set();
  const before = new Map(then.nodes.map((node) => [node.id, node]));
  const changed = now.nodes.filter((node) => {
    const old = before.get(node.id);
    if (old === node && now.connections === then.connections) return false;
    if (!old || resultDependencies(old) !== resultDependencies(node)) return true;
    return incomingConnectionKey(now.connections, node.id) !== incomingConnectionKey(then.connections, node.id);
  });
  return reachableNodeIds(
    now,
    changed.map(({ id }) => id),
    'downstream',
  );
}
