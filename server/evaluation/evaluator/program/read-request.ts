import { parseFormBody, parseJsonBody, UnreadableBodyError } from '@/server/platform/messages/request-body';
import { decodeWholeText, UnreadableTextError } from '@/server/platform/messages/text-encoding';
import type { RequestBodyForm } from '../jobs';

/** The value of a body of a request. Throws UnreadableBody. */
export function readRequestValue(bytes: Buffer, { kind, charset }: RequestBodyForm): unknown {
  if (kind !== 'text') return kind === 'json' ? parseJsonBody(bytes) : parseFormBody(bytes, charset);
  try {
    return decodeWholeText(bytes, { charset });
  } catch (error) {
    throw error instanceof UnreadableTextError
      ? new UnreadableBodyError(`The body cannot be read as text. ${error.message}`)
      : error;
  }
}
