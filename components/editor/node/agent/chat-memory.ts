import type { Definition, Node } from '@/contract/workflows/workflow';
import { writePath } from '@/components/ui/values/path';

const SESSION = 'sessionId';

/**
 * The config of an agent that answers the messages of a chat and remembers each conversation. Undefined: it does so, it has a memory with
 * another key, or the input of the run cannot be named.
 */
export function withChatMemory({ nodes, connections }: Definition, { id, config }: Node): Node['config'] | undefined {
  const { memory } = config;
  const { key = '', ...rest } = (memory ?? {}) as { key?: string };
  if (key !== '') return undefined;
  const start = nodes.find(({ type }) => type === 'start');
  if (!start) return undefined;
  const isNext = connections.some(({ sourceNode, targetNode }) => sourceNode === start.id && targetNode === id);
  const from = isNext ? 'input' : writePath(['nodes', start.id]);
  if (from === undefined) return undefined;
  const { input = '' } = config;
  return {
    ...config,
    input: input === '' ? `{{ ${from}.message }}` : input,
    memory: { ...rest, key: `{{ ${from}.${SESSION} }}` },
  };
}
