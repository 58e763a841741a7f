import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PEER_HEADER } from '@/server/client-address';
import { arrivalOf } from '@/server/api/incoming';
import { Problem } from '@/server/errors/problem';
import { refusalHandler } from './handlers';
import { headersOf, textOf } from './response';
import type { Reply } from '@/server/pipeline/steps/answer';

const MESSAGES: Record<number, string> = {
  404: 'This address does not support this kind of connection.',
  408: 'The request did not arrive in time.',
  431: 'The headers of the request are too large.',
};
const MALFORMED = 'The address or the headers of the request are malformed.';

const problem = (status: number) =>
  new Problem(status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR', MESSAGES[status] ?? MALFORMED, [], { status });

/** Malformed requests are counted against their sender and answered in the documented format, so that the sender can read the reason. */
function replyTo(address: string | undefined, status: number): Promise<Reply> {
  const request = new Request('http://unknown/', { headers: { [PEER_HEADER]: address ?? 'unknown' } });
  return refusalHandler(() => problem(status))(arrivalOf(request));
}

/** For an invalid Host header or address. */
export const refuse = (request: IncomingMessage): Promise<Reply> => replyTo(request.socket.remoteAddress, 400);

const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** For input that is not HTTP, too long, or incomplete: there is only a socket. */
export function cutOff({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  closeWithStatus(socket, STATUSES[code] ?? 400);
}

/** Sends the error and closes the connection. */
export function closeWithStatus(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy());
  void replyTo((socket as Socket).remoteAddress, status).then((reply) => {
    const text = textOf(reply) ?? '';
    const headers = { ...headersOf(reply), Connection: 'close', 'Content-Length': Buffer.byteLength(text) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  });
}
