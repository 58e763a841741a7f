import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { headersOf, textOf } from '../api/rest';
import type { Reply } from '../api/steps/answer';
import { log } from '../log';

/** `common`: the headers of every answer. */
export type Door = (request: IncomingMessage, response: ServerResponse, common: Named) => Promise<void>;

type Named = Record<string, string>;

/** What is still being sent after the answer is read for so long; then the connection is closed. */
const DRAIN_MS = 500;

/** JSON goes out as it is: a Response would make a stream of it first, which costs as much as parsing the request. */
export function sendReply(response: ServerResponse, common: Named, reply: Reply): void {
  drain(response);
  const text = textOf(reply);
  const headers = Object.assign({}, common, headersOf(reply));
  if (text !== undefined) headers['Content-Length'] = String(Buffer.byteLength(text));
  response.writeHead(reply.status, headers);
  response.end(text);
}

/** A small answer of its own making, whole. */
export async function sendPage(response: ServerResponse, common: Named, page: Response): Promise<void> {
  const body = Buffer.from(await page.arrayBuffer());
  begin(response, common, page);
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/** An answer that is no JSON, of whatever size: a redirect, a file. */
export async function sendResponse(response: ServerResponse, common: Named, answer: Response): Promise<void> {
  begin(response, common, answer);
  if (!answer.body) return void response.end();
  try {
    await pipeline(answer.body, response);
  } catch (error) {
    // Whoever hangs up in the middle of it has no use for the rest.
    if (!isHangUp(error)) log().error({ err: error }, 'an answer broke off');
  }
}

/** Its own headers take the place of common ones. */
function begin(response: ServerResponse, common: Named, { status, headers }: Response): void {
  drain(response);
  response.statusCode = status;
  for (const [name, value] of [...Object.entries(common), ...headers]) response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
}

const isHangUp = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Lets the sender of a body that isn't wanted any more read the answer before the connection ends. */
function drain(response: ServerResponse): void {
  const message: IncomingMessage = response.req;
  if (message.complete) return;
  response.once('finish', () => {
    if (message.complete) return;
    const impatience = setTimeout(() => message.socket.destroySoon(), DRAIN_MS);
    message.once('close', () => clearTimeout(impatience));
    message.resume();
  });
}
