import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';

/** A tool of an agent, as its config contains it. */
export interface AgentToolConfig {
  name: string;
  description?: string;
  type: string;
  config: WorkflowNode['config'];
  credentialId?: string;
  inputSchema?: WorkflowNode['config'];
  timeoutMs?: number;
  retry?: WorkflowNode['retry'];
  repeatable?: boolean;
}

const isAgentTool = (value: unknown): value is AgentToolConfig =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as AgentToolConfig).name === 'string' &&
  typeof (value as AgentToolConfig).type === 'string' &&
  typeof (value as AgentToolConfig).config === 'object';

export const readAgentTools = ({ tools }: WorkflowNode['config']): AgentToolConfig[] =>
  Array.isArray(tools) ? tools.filter(isAgentTool) : [];

/** A tool as a node: its form is that of its type. */
export const agentToolNode = ({ name, type, config, credentialId }: AgentToolConfig): WorkflowNode => ({
  id: name,
  type,
  name,
  position: { x: 0, y: 0 },
  config,
  ...(credentialId === undefined ? {} : { credentialId }),
});

/** A tool as a node, with what its picked values were called. Undefined: there is none at this place. */
export function readAgentToolNode({ config, labels = {} }: WorkflowNode, index: number): WorkflowNode | undefined {
  const tool = readAgentTools(config)[index];
  if (!tool) return undefined;
  const prefix = `tools[${index}].config.`;
  const own = Object.entries(labels).flatMap(([path, label]) =>
    path.startsWith(prefix) ? [[path.slice(prefix.length), label] as const] : [],
  );
  return { ...agentToolNode(tool), ...(own.length > 0 && { labels: Object.fromEntries(own) }) };
}

const agentPartNode = (id: string, type: string, name: string): WorkflowNode => ({
  id,
  type,
  name,
  position: { x: 0, y: 0 },
  config: {},
});

/**
 * The steps of an agent as nodes, whose ids are those of the results. Each is drawn like the node type that it
 * resembles.
 */
export function agentStepDefinition(agent: WorkflowNode): WorkflowDefinition {
  const tools = readAgentTools(agent.config).flatMap((tool) => [
    agentToolNode(tool),
    agentPartNode(`${tool.name}.approval`, 'approval', `Approval of ${tool.name}`),
  ]);
  return {
    nodes: [
      agentPartNode('start', 'start', 'Opening'),
      agentPartNode('model', 'llm', 'Model'),
      ...tools,
      agentPartNode('memory', 'remember', 'Memory'),
    ],
    connections: [],
  };
}

/**
 * The node of a result: `search#2` is the second call of the tool `search`, `mail[3]` the fourth item of the node
 * `mail`.
 */
export const findResultNode = ({ nodes }: WorkflowDefinition, id: string): WorkflowNode | undefined =>
  nodes.find((node) => node.id === id) ??
  nodes.find((node) => node.id === id.replace(/#\d+/, '').replace(/\[\d+\]$/, ''));

const MODEL_CALL_RESULT_ID = /^([^[\]]+)\[\d+\]\.model$/;

/** Whether a result is a call of the model of an agent outside of loops: a run can be repeated from it. */
export const isAgentModelCall = ({ nodes }: WorkflowDefinition, resultId: string): boolean => {
  const [, owner] = MODEL_CALL_RESULT_ID.exec(resultId) ?? [];
  return nodes.some(({ id, type }) => id === owner && type === 'agent');
};
