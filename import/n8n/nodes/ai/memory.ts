import { type NodeConversion, parameterText } from '../../conversion';
import { cutWellFormed } from '../../file';
import { shortNodeType } from '../../starts/convert-trigger';
import type { NodeExpressions } from '../../n8n-expressions';

const MAX_MEMORY_WINDOW = 200;

/** The memory of an agent. n8n counts questions with their answers, Weft messages. */
export function convertAgentMemory(
  conversion: NodeConversion,
  expressions: NodeExpressions,
): { key: string; window: number } | undefined {
  const { node, context: around } = conversion;
  const [memory] = around.attachedParts(node, 'ai_memory');
  if (!memory) return undefined;
  const { sessionIdType = 'fromInput', sessionKey, contextWindowLength = 5 } = memory.parameters;
  const written = sessionIdType === 'customKey' ? sessionKey : (sessionKey ?? '={{ $json.sessionId }}');
  const key = conversion.limitText(parameterText(written, expressions), 200);
  const isOwn = shortNodeType(memory.type) === 'memoryBufferWindow';
  around.reportPart(
    memory,
    'converted',
    `It is the memory of “${cutWellFormed(node.name, 60)}”.${isOwn ? '' : ' Weft keeps it in its own database, and begins without old messages.'}`,
  );
  if (key === undefined) {
    conversion.addTodo('Enter the key of its memory.');
    return undefined;
  }
  const pairs =
    typeof contextWindowLength === 'number' && contextWindowLength >= 1 ? Math.round(contextWindowLength) : 5;
  return { key, window: Math.min(pairs * 2, MAX_MEMORY_WINDOW) };
}
