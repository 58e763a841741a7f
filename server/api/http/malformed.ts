import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { receivedFromWeb } from '@/server/api/operation/incoming';
import { ApiProblem } from '@/server/platform/errors/problem';
import { createRefusalHandler } from './handlers';
import { responseHeadersWithType, serializeBody } from './response';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';

const MALFORMED_MESSAGES: Record<number, string> = {
  404: 'This address does not support this kind of connection.',
  408: 'The request did not arrive in time.',
  431: 'The headers of the request are too large.',
};
const MALFORMED_REQUEST_MESSAGE = 'The address or the headers of the request are malformed.';

const malformedProblem = (status: number) =>
  new ApiProblem(
    status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR',
    MALFORMED_MESSAGES[status] ?? MALFORMED_REQUEST_MESSAGE,
    [],
    { status },
  );

/**
 * Malformed requests are counted against their sender and answered in the documented format, so that the sender can
 * read the reason.
 */
function malformedResponse(address: string | undefined, status: number): Promise<OperationResponse> {
  const request = new Request('http://unknown/', { headers: { [PEER_ADDRESS_HEADER]: address ?? 'unknown' } });
  return createRefusalHandler(() => malformedProblem(status))(receivedFromWeb(request));
}

/** Refuses a request with an invalid Host header or address. */
export const refuseMalformedRequest = (request: IncomingMessage): Promise<OperationResponse> =>
  malformedResponse(request.socket.remoteAddress, 400);

const PARSE_ERROR_STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Refuses input that is not HTTP, too long, or incomplete. There is only a socket to answer on. */
export function closeUnreadableSocket({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  closeWithStatus(socket, PARSE_ERROR_STATUSES[code] ?? 400);
}

/** Sends the error and closes the connection. */
export function closeWithStatus(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy());
  void malformedResponse((socket as Socket).remoteAddress, status).then((reply) => {
    const text = serializeBody(reply) ?? '';
    const headers = {
      ...responseHeadersWithType(reply),
      Connection: 'close',
      'Content-Length': Buffer.byteLength(text),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  });
}
