import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { reach } from '@/components/graph/walk';

/** The parts of a node that its result depends on, besides its input. */
const resultInputs = ({ type, config, disabled = false, credentialId }: Node) =>
  JSON.stringify([type, config, disabled, credentialId]);

const incoming = (connections: Connection[], id: string) =>
  connections
    .filter(({ targetNode }) => targetNode === id)
    .map(({ sourceNode, sourcePort, targetPort }) => `${sourceNode} ${sourcePort} ${targetPort}`)
    .sort()
    .join();

/** Nodes whose results of `then` are outdated: the changed ones and all nodes downstream. */
export function staleNodes(now: Definition, then: Definition): ReadonlySet<string> {
  if (now === then) return new Set();
  const before = new Map(then.nodes.map((node) => [node.id, node]));
  const changed = now.nodes.filter((node) => {
    const old = before.get(node.id);
    if (old === node && now.connections === then.connections) return false;
    if (!old || resultInputs(old) !== resultInputs(node)) return true;
    return incoming(now.connections, node.id) !== incoming(then.connections, node.id);
  });
  return reach(
    now,
    changed.map(({ id }) => id),
    'downstream',
  );
}
