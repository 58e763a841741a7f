import type { Definition, Node } from '@/contract/workflows/workflow';

/** A tool of an agent, as its config contains it. */
export interface Tool {
  name: string;
  description?: string;
  type: string;
  config: Node['config'];
  credentialId?: string;
  inputSchema?: Node['config'];
  timeoutMs?: number;
  retry?: Node['retry'];
  repeatable?: boolean;
}

const isTool = (value: unknown): value is Tool =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Tool).name === 'string' &&
  typeof (value as Tool).type === 'string' &&
  typeof (value as Tool).config === 'object';

export const toolsOf = ({ tools }: Node['config']): Tool[] => (Array.isArray(tools) ? tools.filter(isTool) : []);

/** A tool as a node: its form is that of its type. */
export const toolNode = ({ name, type, config, credentialId }: Tool): Node => ({
  id: name,
  type,
  name,
  position: { x: 0, y: 0 },
  config,
  ...(credentialId === undefined ? {} : { credentialId }),
});

const part = (id: string, type: string, name: string): Node => ({
  id,
  type,
  name,
  position: { x: 0, y: 0 },
  config: {},
});

/** The nodes of the steps of an agent, by the ids that their results have. Drawn like the types that they resemble. */
export function agentBody(agent: Node): Definition {
  const tools = toolsOf(agent.config).flatMap((tool) => [
    toolNode(tool),
    part(`${tool.name}.approval`, 'approval', `Approval of ${tool.name}`),
  ]);
  return {
    nodes: [
      part('start', 'start', 'Opening'),
      part('model', 'llm', 'Model'),
      ...tools,
      part('memory', 'remember', 'Memory'),
    ],
    connections: [],
  };
}

/** The node of a result: `search#2` is the second call of the tool `search`. */
export const nodeOf = ({ nodes }: Definition, id: string): Node | undefined =>
  nodes.find((node) => node.id === id) ?? nodes.find((node) => node.id === id.replace(/#\d+/, ''));

const STEP = /^([^[\]]+)\[\d+\]\.model$/;

/** Whether a result is a call of the model of an agent outside of loops: a run can be repeated from it. */
export const isAgentStep = ({ nodes }: Definition, resultId: string): boolean => {
  const [, owner] = STEP.exec(resultId) ?? [];
  return nodes.some(({ id, type }) => id === owner && type === 'agent');
};
