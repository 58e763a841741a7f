import type { XYPosition } from '@xyflow/react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentTools } from './agent';
import type { CanvasBox } from './viewport';

/** What is attached to an agent on the canvas. It is stored in the config of the agent, a tool by its place there. */
export type AgentPart = { kind: 'model' } | { kind: 'memory' } | { kind: 'tool'; index: number };

/**
 * Size of the card of a part, the space above it, how far it is indented, and the space below the agent, which has the
 * words of its error output there.
 */
export const AGENT_PART_SIZE = { width: 208, height: 46, gap: 10, indent: 28, top: 26 };
/** Height of the buttons below the parts that add further ones. */
const ADD_BUTTONS_HEIGHT = 28;

/** The ids of parts on the canvas: `support > model`, `support > tool 0`. */
const AGENT_PART_ID = /^(.+) > (?:(model|memory)|tool (\d+))$/s;

export const agentPartId = (agentId: string, part: AgentPart): string =>
  `${agentId} > ${part.kind === 'tool' ? `tool ${part.index}` : part.kind}`;

/** The agent and the part that an id names. Undefined: it is the id of something else. */
export function parseAgentPartId(id: string): { agentId: string; part: AgentPart } | undefined {
  const [, agentId, kind, index] = AGENT_PART_ID.exec(id) ?? [];
  if (agentId === undefined) return undefined;
  if (index !== undefined) return { agentId, part: { kind: 'tool', index: Number(index) } };
  return { agentId, part: { kind: kind === 'memory' ? 'memory' : 'model' } };
}

/** The id of the node that an item belongs to: the agent of a part, otherwise the id itself. */
export const partOwnerId = (id: string): string => parseAgentPartId(id)?.agentId ?? id;

/** The id with another owner: `loop/support > model` becomes `support > model`. */
export function replacePartOwner(id: string, owner: string): string {
  const parsed = parseAgentPartId(id);
  return parsed ? agentPartId(owner, parsed.part) : owner;
}

const NO_PARTS: readonly AgentPart[] = [];
const partsByNode = new WeakMap<WorkflowNode, readonly AgentPart[]>();

/** The parts of an agent from top to bottom; none of other nodes. The same list until the node changes. */
export function listAgentParts(node: WorkflowNode): readonly AgentPart[] {
  if (node.type !== 'agent') return NO_PARTS;
  const known = partsByNode.get(node);
  if (known) return known;
  const tools = readAgentTools(node.config).map((_, index): AgentPart => ({ kind: 'tool', index }));
  const parts: AgentPart[] = [
    { kind: 'model' },
    ...(node.config.memory === undefined ? [] : [{ kind: 'memory' } as const]),
    ...tools,
  ];
  partsByNode.set(node, parts);
  return parts;
}

/** How far a line of the parts is below the card of the agent. */
export const agentPartTop = (line: number): number =>
  AGENT_PART_SIZE.top + line * (AGENT_PART_SIZE.height + AGENT_PART_SIZE.gap);

/** How far below the card of a node its parts and the buttons for further ones reach. 0: the node is no agent. */
export function agentPartsHeight(node: WorkflowNode): number {
  const { length } = listAgentParts(node);
  return length === 0 ? 0 : agentPartTop(length) + ADD_BUTTONS_HEIGHT;
}

/** The box of the part in a line, below the card of its agent. */
export const agentPartBox = ({ x, y }: XYPosition, cardHeight: number, line: number): CanvasBox => ({
  x: x + AGENT_PART_SIZE.indent,
  y: y + cardHeight + agentPartTop(line),
  width: AGENT_PART_SIZE.width,
  height: AGENT_PART_SIZE.height,
});

/** What people call a part of an agent: `Tool search_orders`. */
export function agentPartTitle({ config }: WorkflowNode, part: AgentPart): string {
  if (part.kind === 'tool') return `Tool ${readAgentTools(config)[part.index]?.name ?? part.index + 1}`;
  return part.kind === 'model' ? 'Model' : 'Memory';
}

/** The fields of an agent's config that its model and its memory have in their own forms. */
export const AGENT_PART_FIELDS = {
  model: ['model', 'temperature', 'maxTokens'],
  memory: ['memory'],
} as const;

/**
 * The part whose form has a field, by the path of the field in the node: `config.tools[1].config.url`, `credentialId`.
 * Undefined: the form of the agent has it.
 */
export function findPartWithField(node: WorkflowNode, field: string): AgentPart | undefined {
  if (node.type !== 'agent') return undefined;
  if (field === 'credentialId') return { kind: 'model' };
  const [, path = ''] = /^config\.(.*)$/s.exec(field) ?? [];
  const tools = readAgentTools(node.config);
  const [, index] = /^tools\[(\d+)\]/.exec(path) ?? [];
  const [, approved] = /^approvals\.(.+)$/s.exec(path) ?? [];
  const at = index === undefined ? tools.findIndex(({ name }) => name === approved) : Number(index);
  if (at >= 0 && at < tools.length) return { kind: 'tool', index: at };
  const name = path.split(/[.[]/)[0] ?? '';
  if (AGENT_PART_FIELDS.model.some((own) => own === name)) return { kind: 'model' };
  return name === 'memory' && node.config.memory !== undefined ? { kind: 'memory' } : undefined;
}
