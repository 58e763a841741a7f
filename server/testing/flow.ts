import type { Connection, Definition, Node } from '@/contract/workflows/workflow';

export type Sketch = Pick<Node, 'type'> & Partial<Node>;

/** `a:error>b`: from a's port `error` to b's port `input`; without a port, from `output`. */
function connection(link: string): Connection {
  const [from = '', targetNode = ''] = link.split('>');
  const [sourceNode = '', sourcePort = 'output'] = from.split(':');
  return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
}

/** A definition from nodes by their ids and links such as `a>b`. */
export const flow = (nodes: Record<string, Sketch>, links: string[] = []): Definition => ({
  nodes: Object.entries(nodes).map(([id, node], index) => ({
    id,
    position: { x: index * 200, y: 0 },
    config: {},
    ...node,
  })),
  connections: links.map(connection),
});
