import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { responseHeadersWithType, serializeBody } from './response';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { isSmallJson, writeJsonInTurns } from '@/server/evaluation/expressions/write-json';
import { serviceLog } from '@/server/platform/log';

/** Headers by name. `common`: those of every answer. */
type NamedHeaders = Record<string, string>;

/** How long the rest of a request body is read after the answer; then the connection is closed. */
const DRAIN_TIMEOUT_MS = 500;

/**
 * JSON is written directly: a Response would wrap it in a stream first, which costs as much as parsing the request.
 * What would take long is written in turns before it is sent, because its length stands at its head.
 */
export async function sendJsonResponse(
  response: ServerResponse,
  common: NamedHeaders,
  reply: OperationResponse,
): Promise<void> {
  const headers = Object.assign({}, common, responseHeadersWithType(reply));
  if (reply.text === undefined && !isSmallJson(reply.body)) {
    const parts: Buffer[] = [];
    for await (const part of writeJsonInTurns(reply.body)) parts.push(part);
    return sendParts(response, reply.status, headers, parts);
  }
  drainRequestBody(response);
  const text = serializeBody(reply);
  if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text));
  response.writeHead(reply.status, headers);
  response.end(text);
}

function sendParts(response: ServerResponse, status: number, headers: NamedHeaders, parts: readonly Buffer[]): void {
  drainRequestBody(response);
  headers['Content-Length'] = String(parts.reduce((sum, { length }) => sum + length, 0));
  response.writeHead(status, headers);
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}

/** An answer that is not JSON, of any size: a redirect, a file. */
export async function sendWebResponse(response: ServerResponse, common: NamedHeaders, answer: Response): Promise<void> {
  beginResponse(response, common, answer);
  if (!answer.body) return void response.end();
  try {
    await pipeline(answer.body, response);
  } catch (error) {
    // The client has disconnected; the rest is dropped.
    if (!isClientHangUp(error)) serviceLog().error({ err: error }, 'an answer was interrupted');
  }
}

/** Its own headers override common ones. */
function beginResponse(response: ServerResponse, common: NamedHeaders, { status, headers }: Response): void {
  drainRequestBody(response);
  response.statusCode = status;
  for (const [name, value] of [...Object.entries(common), ...headers]) response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
}

const isClientHangUp = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Lets the sender of a refused body read the answer before the connection closes. */
export function drainRequestBody(response: ServerResponse): void {
  const message: IncomingMessage = response.req;
  if (message.complete) return;
  response.once('finish', () => {
    if (message.complete) return;
    const timeout = setTimeout(() => message.socket.destroySoon(), DRAIN_TIMEOUT_MS);
    message.once('close', () => clearTimeout(timeout));
    message.resume();
  });
}
