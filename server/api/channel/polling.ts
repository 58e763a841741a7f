import type { IncomingMessage, ServerResponse } from 'node:http';
import { receivedFromNode } from '@/server/api/operation/incoming';
import {
  invalidRequestProblem,
  methodNotAllowedProblem,
  notFoundProblem,
  type ApiProblem,
} from '@/server/platform/errors/problem';
import { createRefusalHandler } from '@/server/api/http/handlers';
import { responseHeadersWithType, serializeBody } from '@/server/api/http/response';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { generateId } from '@/server/platform/db/ids';

const SOCKET_IO_TRANSPORTS = ['polling', 'websocket'];

/**
 * Checks polling requests before Socket.IO's engine, which would refuse them in its own format. `isKnown`: whether an
 * id belongs to a connection.
 */
export function createPollingGuard(isKnown: (id: string) => boolean, maxBody: number) {
  return (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void => {
    // For upgrades the engine passes a stub instead of a response.
    if (request.headers.upgrade) return next();
    response.setHeader('X-Request-Id', generateId('req'));
    const refusal = findPollingRefusal(request, isKnown, maxBody);
    if (!refusal) return next();
    createRefusalHandler(() => refusal)(receivedFromNode(request)).then(
      (reply) => sendPollingRefusal(response, reply),
      next,
    );
  };
}

function findPollingRefusal(
  { method, url = '', headers }: IncomingMessage,
  isKnown: (id: string) => boolean,
  maxBody: number,
): ApiProblem | null {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const id = query.get('sid');
  if (!SOCKET_IO_TRANSPORTS.includes(query.get('transport') ?? ''))
    return invalidRequestProblem([{ field: 'transport', message: 'is not known' }]);
  if (id !== null && !isKnown(id)) return notFoundProblem('The connection');
  if (method !== 'GET' && !(method === 'POST' && id !== null))
    return methodNotAllowedProblem(id === null ? ['GET'] : ['GET', 'POST']);
  if (Number(headers['content-length']) > maxBody)
    return invalidRequestProblem([], `The body is larger than ${maxBody} bytes.`);
  return null;
}

/** The rest of the body is not read. */
function sendPollingRefusal(response: ServerResponse, reply: OperationResponse): void {
  const text = serializeBody(reply) ?? '';
  const length = String(Buffer.byteLength(text));
  response.writeHead(reply.status, {
    ...responseHeadersWithType(reply),
    Connection: 'close',
    'Content-Length': length,
  });
  response.end(text);
}
