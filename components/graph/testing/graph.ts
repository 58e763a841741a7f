import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';

/** A node type, by default with one input and the ports `output` and `error`. */
export const kind = (
  type: string,
  ports: Partial<NodeTypeDescription['ports']> = {},
  rest: Partial<NodeTypeDescription> = {},
): NodeTypeDescription => ({
  type,
  title: type,
  description: '',
  synonyms: [],
  category: 'action',
  icon: `/nodes/${type}.svg`,
  ports: { inputs: ['input'], outputs: ['output', 'error'], dynamicOutputs: null, ...ports },
  credentialTypes: [],
  configSchema: {},
  ...rest,
});

export const START = kind('start', { inputs: [], outputs: ['output'] });

export const node = (id: string, config: WorkflowNode['config'] = {}, { type = 'step', x = 0 } = {}): WorkflowNode => ({
  id,
  type,
  position: { x, y: 0 },
  config,
});

export const connection = (sourceNode: string, targetNode: string, sourcePort = 'output'): NodeConnection => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});

/** Nodes with their connections: `a>b`, `a:port>b`. */
export const draw = (nodes: WorkflowNode[], ...connections: string[]): WorkflowDefinition => ({
  nodes,
  connections: connections.map((text) => {
    const [from = '', to = ''] = text.split('>');
    const [id = '', port] = from.split(':');
    return connection(id, to, port);
  }),
});
