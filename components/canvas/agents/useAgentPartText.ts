import { useQuery } from '@tanstack/react-query';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { readAgentToolNode } from '@/components/graph/agent';
import type { AgentPart } from '@/components/graph/agent-parts';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { drawnNodeType, nodeSummary, readNodeReference } from '@/components/graph/summary';
import { useNodeReference } from '../canvas-badges';
import { nodeReferenceSummary } from '../run/reference-summary';

/** What the card of a part says. */
export interface AgentPartText {
  name: string;
  summary: string;
  /** The summary says that something is missing. */
  isMissing: boolean;
  kind: NodeTypeDescription | undefined;
}

/** Reads what is known of the references of the canvas around; outside of one, the names of references are left out. */
export function useAgentPartText(agent: WorkflowNode, part: AgentPart, catalogue: NodeTypesByName): AgentPartText {
  const tool = part.kind === 'tool' ? readAgentToolNode(agent, part.index) : undefined;
  const reference = useNodeReference(tool && readNodeReference(tool)?.id);
  const account = useAccountText(part.kind === 'model' ? agent.credentialId : undefined);
  if (part.kind === 'model') {
    const { text, isMissing } = account;
    return { name: modelName(agent) ?? 'No model chosen', summary: text, isMissing, kind: catalogue.get('llm') };
  }
  if (part.kind === 'memory')
    return { name: 'Memory', ...memorySummary(agent.config.memory), kind: catalogue.get('remember') };
  const kind = tool && catalogue.get(tool.type);
  if (!tool) return { name: 'Tool', summary: '', isMissing: false, kind };
  const name = tool.name ?? tool.id;
  return {
    name,
    summary: reference ? nodeReferenceSummary(reference, name, tool, kind) : nodeSummary(tool, kind),
    isMissing: reference?.name === null,
    kind: drawnNodeType(tool, kind, reference?.icon),
  };
}

/** What was picked, by its name. Undefined: nothing was. */
function modelName({ config: { model }, labels }: WorkflowNode): string | undefined {
  if (typeof model !== 'string' || model === '') return undefined;
  return labels?.model ?? model;
}

const DEFAULT_MEMORY_WINDOW = 20;

/** How much is remembered. Without a key there is no place for it. */
function memorySummary(memory: unknown): Pick<AgentPartText, 'summary' | 'isMissing'> {
  const { key, window = DEFAULT_MEMORY_WINDOW } = Object(memory) as { key?: unknown; window?: unknown };
  if (typeof key !== 'string' || key === '') return { summary: 'No key yet', isMissing: true };
  return { summary: `Remembers ${Number(window)} messages`, isMissing: false };
}

/** The name of the account that pays for the model, or what is wrong with it. */
function useAccountText(credentialId: string | undefined): { text: string; isMissing: boolean } {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.credentials.get.queryOptions(
      { params: { id: credentialId ?? '' } },
      { enabled: credentialId !== undefined, retry: false, staleTime: 60_000 },
    ),
  );
  if (credentialId === undefined) return { text: 'No account', isMissing: true };
  if (data) return { text: data.name, isMissing: false };
  if (error && readApiError(error).code === 'NOT_FOUND') return { text: 'Its account was deleted', isMissing: true };
  // Who may not read credentials knows that there is one.
  return { text: error ? 'With an account' : '…', isMissing: false };
}
