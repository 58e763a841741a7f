import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { printExpressionPath } from '@/components/ui/values/expression-path';

const CHAT_SESSION_FIELD = 'sessionId';

/**
 * The config with which an agent answers the messages of a chat and remembers each conversation. Undefined if it has a
 * memory already, or if no path leads to the input of the run.
 */
export function addChatMemory(
  { nodes, connections }: WorkflowDefinition,
  { id, config }: WorkflowNode,
  language: ExpressionLanguage,
): WorkflowNode['config'] | undefined {
  const { memory } = config;
  const { key = '', ...rest } = (memory ?? {}) as { key?: string };
  if (key !== '') return undefined;
  const start = nodes.find(({ type }) => type === 'start');
  if (!start) return undefined;
  const isNext = connections.some(({ sourceNode, targetNode }) => sourceNode === start.id && targetNode === id);
  const from = isNext ? 'input' : printExpressionPath(['nodes', start.id], language);
  if (from === undefined) return undefined;
  const { input = '' } = config;
  return {
    ...config,
    input: input === '' ? `{{ ${from}.message }}` : input,
    memory: { ...rest, key: `{{ ${from}.${CHAT_SESSION_FIELD} }}` },
  };
}
