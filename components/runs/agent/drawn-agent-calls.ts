import type { NodeResult } from '@/contract/execution';
import { summarizeAgentPartCalls, type AgentPartCallSummary } from '@/components/graph/agent-part-calls';
import type { DrawnDefinition } from '@/components/graph/drawn';
import type { ReadCanvasRounds } from '../timeline/useCanvasRounds';

const NO_CALLS: ReadonlyMap<string, AgentPartCallSummary> = new Map();

/**
 * The calls of the parts of all drawn agents, in the chosen rounds. `view`: the path of the definition that fills the
 * canvas.
 */
export function summarizeDrawnAgentCalls(
  { nodes, scopes }: DrawnDefinition,
  view: readonly string[],
  results: readonly NodeResult[] | undefined,
  readRounds: ReadCanvasRounds | undefined,
): ReadonlyMap<string, AgentPartCallSummary> {
  const agents = nodes.filter(({ type }) => type === 'agent');
  if (!results || !readRounds || agents.length === 0) return NO_CALLS;
  return summarizeAgentPartCalls(
    results,
    agents.map((node) => {
      const scope = scopes?.find((one) => one.nodes.has(node.id));
      const own = scope?.nodes.get(node.id)?.own ?? node;
      return { drawnId: node.id, place: readRounds(scope?.path ?? view).prefix + own.id, node: own };
    }),
  );
}
