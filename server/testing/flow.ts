import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';

export type Sketch = Pick<WorkflowNode, 'type'> & Partial<WorkflowNode>;

/** `a:error>b`: from a's port `error` to b's port `input`; without a port, from `output`. */
function connection(link: string): NodeConnection {
  const [from = '', targetNode = ''] = link.split('>');
  const [sourceNode = '', sourcePort = 'output'] = from.split(':');
  return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
}

/** A definition from nodes by their ids and links such as `a>b`. */
export const flow = (nodes: Record<string, Sketch>, links: string[] = []): WorkflowDefinition => ({
  nodes: Object.entries(nodes).map(([id, node], index) => ({
    id,
    position: { x: index * 200, y: 0 },
    config: {},
    ...node,
  })),
  connections: links.map(connection),
});
