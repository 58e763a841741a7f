import { formIn, jsonIn, UnreadableBody } from '@/server/request-body';
import { readText, UnreadableText } from '@/server/text-encoding';
import type { RequestForm } from '../jobs';

/** The value of a body of a request. Throws UnreadableBody. */
export function readRequest(bytes: Buffer, form: RequestForm): unknown {
  if (typeof form !== 'object') return form === 'json' ? jsonIn(bytes) : formIn(bytes);
  try {
    return readText(bytes, form);
  } catch (error) {
    throw error instanceof UnreadableText
      ? new UnreadableBody(`The body cannot be read as text. ${error.message}`)
      : error;
  }
}
