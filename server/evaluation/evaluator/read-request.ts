import { formIn, jsonIn, UnreadableBody } from '@/server/request-body';
import { readText, UnreadableText } from '@/server/text-encoding';
import type { RequestForm } from '../jobs';

/** The value of a body of a request. Throws UnreadableBody. */
export function readRequest(bytes: Buffer, { kind, charset }: RequestForm): unknown {
  if (kind !== 'text') return kind === 'json' ? jsonIn(bytes) : formIn(bytes, charset);
  try {
    return readText(bytes, { charset });
  } catch (error) {
    throw error instanceof UnreadableText
      ? new UnreadableBody(`The body cannot be read as text. ${error.message}`)
      : error;
  }
}
