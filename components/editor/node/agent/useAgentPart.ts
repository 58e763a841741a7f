import type { WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartId, listAgentParts, parseAgentPartId, type AgentPart } from '@/components/graph/agent-parts';
import { canvasDefinition, useDraft } from '../../draft/draft';

/** The agent and the part of an id, in the definition that is edited. Undefined: it names no part, or one that is gone. */
export function useAgentPart(id: string | undefined): { agent: WorkflowNode; part: AgentPart } | undefined {
  const { agentId, part } = parseAgentPartId(id ?? '') ?? {};
  const agent = useDraft((draft) => canvasDefinition(draft).nodes.find((node) => node.id === agentId));
  const isThere = agent && listAgentParts(agent).some((one) => agentPartId(agent.id, one) === id);
  return agent && part && isThere ? { agent, part } : undefined;
}
