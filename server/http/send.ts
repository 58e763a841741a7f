import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { headersOf, textOf } from './response';
import type { Reply } from '@/server/pipeline/steps/answer';
import { log } from '@/server/log';

/** Headers by name. `common`: those of every answer. */
type Named = Record<string, string>;

/** How long the rest of a request body is read after the answer; then the connection is closed. */
const DRAIN_MS = 500;

/** JSON is written directly: a Response would wrap it in a stream first, which costs as much as parsing the request. */
export function sendReply(response: ServerResponse, common: Named, reply: Reply): void {
  drain(response);
  const text = textOf(reply);
  const headers = Object.assign({}, common, headersOf(reply));
  if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text));
  response.writeHead(reply.status, headers);
  response.end(text);
}

/** An answer that is not JSON, of any size: a redirect, a file. */
export async function sendResponse(response: ServerResponse, common: Named, answer: Response): Promise<void> {
  begin(response, common, answer);
  if (!answer.body) return void response.end();
  try {
    await pipeline(answer.body, response);
  } catch (error) {
    // The client has disconnected; the rest is dropped.
    if (!isHangUp(error)) log().error({ err: error }, 'an answer was interrupted');
  }
}

/** Its own headers override common ones. */
function begin(response: ServerResponse, common: Named, { status, headers }: Response): void {
  drain(response);
  response.statusCode = status;
  for (const [name, value] of [...Object.entries(common), ...headers]) response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
}

const isHangUp = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Lets the sender of a refused body read the answer before the connection closes. */
export function drain(response: ServerResponse): void {
  const message: IncomingMessage = response.req;
  if (message.complete) return;
  response.once('finish', () => {
    if (message.complete) return;
    const timeout = setTimeout(() => message.socket.destroySoon(), DRAIN_MS);
    message.once('close', () => clearTimeout(timeout));
    message.resume();
  });
}
