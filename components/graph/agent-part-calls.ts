import type { NodeResult, NodeStatus } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readAgentTools } from './agent';
import { agentPartId, listAgentParts, type AgentPart } from './agent-parts';

/** How often a part of an agent was called, and the state to show: of a call that goes on, otherwise of the last one. */
export interface AgentPartCallSummary {
  count: number;
  status: NodeStatus;
}

/** An agent on the canvas. `place`: the id of its result in the run shown. */
export interface ShownAgent {
  drawnId: string;
  place: string;
  node: WorkflowNode;
}

/** `support[2].search#3`, `support[2].refund.approval` */
const STEP_RESULT_ID = /^(.+)\[\d+\]\.([^[\].#]+)(?:#\d+)?(\.approval)?$/s;

/** The name of a part in the ids of its results. */
const partResultName = (agent: WorkflowNode, part: AgentPart): string | undefined =>
  part.kind === 'tool' ? readAgentTools(agent.config)[part.index]?.name : part.kind;

/** The results of the calls of a part, in their order. */
export function listAgentPartCalls(
  results: readonly NodeResult[],
  place: string,
  agent: WorkflowNode,
  part: AgentPart,
): NodeResult[] {
  const name = partResultName(agent, part);
  return results.filter(({ nodeId, status }) => {
    const [, at, inner, approval] = STEP_RESULT_ID.exec(nodeId) ?? [];
    return at === place && inner === name && approval === undefined && status !== 'pending' && status !== 'skipped';
  });
}

/** The calls of the parts of agents by the ids of their cards. Reads each result once. */
export function summarizeAgentPartCalls(
  results: readonly NodeResult[],
  agents: readonly ShownAgent[],
): ReadonlyMap<string, AgentPartCallSummary> {
  const summaries = new Map<string, AgentPartCallSummary>();
  if (agents.length === 0) return summaries;
  const idsByPlace = new Map(
    agents.map(({ drawnId, place, node }) => [
      place,
      new Map(listAgentParts(node).map((part) => [partResultName(node, part), agentPartId(drawnId, part)] as const)),
    ]),
  );
  for (const { nodeId, status } of results) {
    const [, place = '', name, approval] = STEP_RESULT_ID.exec(nodeId) ?? [];
    const id = idsByPlace.get(place)?.get(name);
    if (id === undefined || status === 'pending' || status === 'skipped') continue;
    const before = summaries.get(id);
    // An approval that waits holds the call back; one that is decided says nothing about it.
    if (approval !== undefined && status !== 'paused') continue;
    summaries.set(id, {
      count: (before?.count ?? 0) + (approval === undefined ? 1 : 0),
      status: before && isGoingOn(before.status) ? before.status : status,
    });
  }
  return summaries;
}

const isGoingOn = (status: NodeStatus): boolean => status === 'running' || status === 'paused';
