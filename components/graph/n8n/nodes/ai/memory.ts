import type { Conversion } from '../../conversion';
import { textOf } from '../../conversion';
import { cut } from '../../file';
import { shortType } from '../../starts/starts';
import type { Expressions } from '../../text';

const MAX_WINDOW = 200;

/** The memory of an agent. n8n counts questions with their answers, Weft messages. */
export function memoryOf(
  conversion: Conversion,
  expressions: Expressions,
): { key: string; window: number } | undefined {
  const { node, around } = conversion;
  const [memory] = around.attached(node, 'ai_memory');
  if (!memory) return undefined;
  const { sessionIdType = 'fromInput', sessionKey, contextWindowLength = 5 } = memory.parameters;
  const written = sessionIdType === 'customKey' ? sessionKey : (sessionKey ?? '={{ $json.sessionId }}');
  const key = conversion.limited(textOf(written, expressions), 200);
  const isOwn = shortType(memory.type) === 'memoryBufferWindow';
  around.tell(
    memory,
    'converted',
    `It is the memory of “${cut(node.name, 60)}”.${isOwn ? '' : ' Weft keeps it in its own database, and begins without old messages.'}`,
  );
  if (key === undefined) {
    conversion.todo('Enter the key of its memory.');
    return undefined;
  }
  const pairs =
    typeof contextWindowLength === 'number' && contextWindowLength >= 1 ? Math.round(contextWindowLength) : 5;
  return { key, window: Math.min(pairs * 2, MAX_WINDOW) };
}
