import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { headersOf, textOf } from './response';
import type { Reply } from '@/server/pipeline/steps/answer';
import { isSmallJson, writeJsonInTurns } from '@/server/expressions/write-json';
import { log } from '@/server/log';

/** Headers by name. `common`: those of every answer. */
type Named = Record<string, string>;

/** How long the rest of a request body is read after the answer; then the connection is closed. */
const DRAIN_MS = 500;

/**
 * JSON is written directly: a Response would wrap it in a stream first, which costs as much as parsing the request. What would take long is
 * written in turns before it is sent, because its length stands at its head.
 */
export async function sendReply(response: ServerResponse, common: Named, reply: Reply): Promise<void> {
  const headers = Object.assign({}, common, headersOf(reply));
  if (reply.text === undefined && !isSmallJson(reply.body)) {
    const parts: Buffer[] = [];
    for await (const part of writeJsonInTurns(reply.body)) parts.push(part);
    return sendParts(response, reply.status, headers, parts);
  }
  drain(response);
  const text = textOf(reply);
  if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text));
  response.writeHead(reply.status, headers);
  response.end(text);
}

function sendParts(response: ServerResponse, status: number, headers: Named, parts: readonly Buffer[]): void {
  drain(response);
  headers['Content-Length'] = String(parts.reduce((sum, { length }) => sum + length, 0));
  response.writeHead(status, headers);
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
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
