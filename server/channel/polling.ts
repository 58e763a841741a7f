import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalFrom } from '@/server/api/incoming';
import { invalid, methodNotAllowed, notFound, type Problem } from '@/server/errors/problem';
import { refusalHandler } from '@/server/http/handlers';
import { headersOf, textOf } from '@/server/http/response';
import type { Reply } from '@/server/pipeline/steps/answer';
import { newId } from '@/server/db/ids';

const TRANSPORTS = ['polling', 'websocket'];

/**
 * Checks polling requests before Socket.IO's engine, which would refuse them in its own format. `isKnown`: whether an id belongs to a
 * connection.
 */
export function pollingRules(isKnown: (id: string) => boolean, maxBody: number) {
  return (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    // For upgrades the engine passes a stub instead of a response.
    if (request.headers.upgrade) return next();
    response.setHeader('X-Request-Id', newId('req'));
    const refusal = refusalOf(request, isKnown, maxBody);
    if (!refusal) return next();
    refusalHandler(() => refusal)(arrivalFrom(request)).then((reply) => send(response, reply), next);
  };
}

function refusalOf(
  { method, url = '', headers }: IncomingMessage,
  isKnown: (id: string) => boolean,
  maxBody: number,
): Problem | null {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const id = query.get('sid');
  if (!TRANSPORTS.includes(query.get('transport') ?? ''))
    return invalid([{ field: 'transport', message: 'is not known' }]);
  if (id !== null && !isKnown(id)) return notFound('The connection');
  if (method !== 'GET' && !(method === 'POST' && id !== null))
    return methodNotAllowed(id === null ? ['GET'] : ['GET', 'POST']);
  if (Number(headers['content-length']) > maxBody) return invalid([], `The body is larger than ${maxBody} bytes.`);
  return null;
}

/** The rest of the body is not read. */
function send(response: ServerResponse, reply: Reply): void {
  const text = textOf(reply) ?? '';
  const length = String(Buffer.byteLength(text));
  response.writeHead(reply.status, { ...headersOf(reply), Connection: 'close', 'Content-Length': length });
  response.end(text);
}
