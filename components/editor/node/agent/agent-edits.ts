import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentTools, type AgentToolConfig } from '@/components/graph/agent';
import { AGENT_PART_FIELDS, agentPartId, parseAgentPartId, type AgentPart } from '@/components/graph/agent-parts';
import type { PalettePick } from '../../palette/palette-pick';
import { createAgentTool, freeToolName, readApprovalRules, setToolApproval, TOOL_NODE_TYPES } from './agent-tools';

type AgentConfig = WorkflowNode['config'];

/** The definition after an edit of the parts of an agent, and the id of the part to select. */
interface EditedParts {
  definition: WorkflowDefinition;
  id: string;
}

function changeAgent(
  definition: WorkflowDefinition,
  agentId: string,
  change: (agent: WorkflowNode) => WorkflowNode,
): WorkflowDefinition {
  const isAgent = ({ id, type }: WorkflowNode) => id === agentId && type === 'agent';
  if (!definition.nodes.some(isAgent)) return definition;
  return { ...definition, nodes: definition.nodes.map((node) => (isAgent(node) ? change(node) : node)) };
}

const findAgent = ({ nodes }: WorkflowDefinition, agentId: string) =>
  nodes.find(({ id, type }) => id === agentId && type === 'agent');

const setTools = ({ tools: _, ...config }: AgentConfig, tools: readonly AgentToolConfig[]): AgentConfig =>
  tools.length > 0 ? { ...config, tools } : config;

/** Adds what was picked as the last tool of an agent. Undefined: there is no such agent. */
export function addAgentTool(
  definition: WorkflowDefinition,
  agentId: string,
  pick: PalettePick,
): EditedParts | undefined {
  const agent = findAgent(definition, agentId);
  if (!agent) return undefined;
  const tools = readAgentTools(agent.config);
  const next = [...tools, createAgentTool(pick, tools)];
  return {
    definition: changeAgent(definition, agentId, (node) => ({ ...node, config: setTools(node.config, next) })),
    id: agentPartId(agentId, { kind: 'tool', index: tools.length }),
  };
}

/** The node that stores values: dropped on an agent, it is the memory of the agent. */
const MEMORY_NODE_TYPE = 'remember';

/** Whether a node type can be a part of an agent. */
export const isAgentPartType = (type: string): boolean => type === MEMORY_NODE_TYPE || TOOL_NODE_TYPES.includes(type);

/** Adds what was picked to an agent, as its memory or as a tool. Undefined: it can be neither. */
export function addPickedPart(
  definition: WorkflowDefinition,
  agentId: string,
  pick: PalettePick,
): EditedParts | undefined {
  if (pick.nodeType.type === MEMORY_NODE_TYPE) return addAgentMemory(definition, agentId);
  return isAgentPartType(pick.nodeType.type) ? addAgentTool(definition, agentId, pick) : undefined;
}

/** Gives an agent a memory, whose key is still to be written. Undefined: there is no such agent. */
export function addAgentMemory(definition: WorkflowDefinition, agentId: string): EditedParts | undefined {
  const agent = findAgent(definition, agentId);
  if (!agent) return undefined;
  const { memory = {} } = agent.config;
  return {
    definition: changeAgent(definition, agentId, (node) => ({ ...node, config: { ...node.config, memory } })),
    id: agentPartId(agentId, { kind: 'memory' }),
  };
}

/** The config with another tool at a place. An approval follows the name of its tool. */
export function changeAgentTool(config: AgentConfig, index: number, tool: AgentToolConfig): AgentConfig {
  const tools = readAgentTools(config);
  const before = tools[index];
  const rule = before && readApprovalRules(config)[before.name];
  const isRenamed = before && before.name !== tool.name && rule !== undefined;
  const isOthers = (name: string) => tools.some((other, at) => at !== index && other.name === name);
  // While a name is typed it may be that of another tool, whose rule stays.
  const added = isRenamed && !isOthers(tool.name) ? setToolApproval(config, tool.name, rule) : config;
  const moved = isRenamed && !isOthers(before.name) ? setToolApproval(added, before.name, undefined) : added;
  return setTools(
    moved,
    tools.map((old, at) => (at === index ? tool : old)),
  );
}

const TOOL_LABEL_PATH = /^tools\[(\d+)\](.*)$/s;

/** The labels of an agent whose tools were copied, moved or removed. `order`: for each of its tools the place it had. */
function orderToolLabels(labels: Readonly<Record<string, string>>, order: readonly number[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).flatMap(([path, label]) => {
      const [, place, rest = ''] = TOOL_LABEL_PATH.exec(path) ?? [];
      if (place === undefined) return [[path, label] as const];
      return order.flatMap((from, to) => (from === Number(place) ? [[`tools[${to}]${rest}`, label] as const] : []));
    }),
  );
}

/** Copies tools, each with a name of its own and the approval of the first. Returns the ids of the copies. */
export function duplicateAgentTools(
  definition: WorkflowDefinition,
  ids: readonly string[],
): { definition: WorkflowDefinition; ids: string[] } {
  const copies: string[] = [];
  const next = ids.reduce((now, id) => {
    const { agentId, part } = parseAgentPartId(id) ?? {};
    const agent = agentId === undefined ? undefined : findAgent(now, agentId);
    if (!agent || part?.kind !== 'tool') return now;
    const tools = readAgentTools(agent.config);
    const tool = tools[part.index];
    if (!tool) return now;
    const copy = { ...tool, name: freeToolName(tool.name, tools) };
    const index = tools.length;
    copies.push(agentPartId(agent.id, { kind: 'tool', index }));
    const rule = readApprovalRules(agent.config)[tool.name];
    const config = setTools(agent.config, [...tools, copy]);
    return changeAgent(now, agent.id, (node) => ({
      ...node,
      config: rule === undefined ? config : setToolApproval(config, copy.name, rule),
      ...(node.labels && { labels: orderToolLabels(node.labels, [...tools.keys(), part.index]) }),
    }));
  }, definition);
  return { definition: next, ids: copies };
}

/** Moves a tool to another place among those of its agent. Undefined: there is no such place, or it is there. */
export function moveAgentTool(definition: WorkflowDefinition, partId: string, place: number): EditedParts | undefined {
  const { agentId = '', part } = parseAgentPartId(partId) ?? {};
  const tools = readAgentTools(findAgent(definition, agentId)?.config ?? {});
  const tool = part?.kind === 'tool' ? tools[part.index] : undefined;
  if (part?.kind !== 'tool' || !tool || !tools[place] || place === part.index) return undefined;
  const order = [...tools.keys()].toSpliced(part.index, 1).toSpliced(place, 0, part.index);
  const next = tools.toSpliced(part.index, 1).toSpliced(place, 0, tool);
  return {
    definition: changeAgent(definition, agentId, (agent) => ({
      ...agent,
      config: setTools(agent.config, next),
      ...(agent.labels && { labels: orderToolLabels(agent.labels, order) }),
    })),
    id: agentPartId(agentId, { kind: 'tool', index: place }),
  };
}

/** Removes parts of agents. A model that is removed can be chosen anew: an agent cannot be without. */
export function removeAgentParts(definition: WorkflowDefinition, ids: readonly string[]): WorkflowDefinition {
  const byAgent = new Map<string, AgentPart[]>();
  for (const id of ids) {
    const { agentId, part } = parseAgentPartId(id) ?? {};
    if (agentId !== undefined && part) byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), part]);
  }
  return [...byAgent].reduce(
    (now, [agentId, parts]) => changeAgent(now, agentId, (agent) => removeParts(agent, parts)),
    definition,
  );
}

function removeParts(agent: WorkflowNode, parts: readonly AgentPart[]): WorkflowNode {
  const kinds = new Set(parts.map(({ kind }) => kind));
  const indexes = new Set(parts.flatMap((part) => (part.kind === 'tool' ? [part.index] : [])));
  const fields: string[] = [
    ...(kinds.has('model') ? AGENT_PART_FIELDS.model : []),
    ...(kinds.has('memory') ? AGENT_PART_FIELDS.memory : []),
  ];
  const tools = readAgentTools(agent.config);
  const rest = Object.fromEntries(Object.entries(agent.config).filter(([name]) => !fields.includes(name)));
  const approved = tools.reduce(
    (config, { name }, at) => (indexes.has(at) ? setToolApproval(config, name, undefined) : config),
    rest,
  );
  const kept = tools.filter((_, at) => !indexes.has(at));
  const { credentialId, labels = {}, ...node } = agent;
  const order = [...tools.keys()].filter((at) => !indexes.has(at));
  const left = Object.entries(orderToolLabels(labels, order)).filter(
    ([path]) => !fields.includes(path.split('.')[0] ?? ''),
  );
  return {
    ...node,
    config: indexes.size > 0 ? setTools(approved, kept) : approved,
    ...(credentialId !== undefined && !kinds.has('model') && { credentialId }),
    ...(left.length > 0 && { labels: Object.fromEntries(left) }),
  };
}
