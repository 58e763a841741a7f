import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PEER_HEADER } from '../api/address';
import { arrivalOf } from '../api/incoming';
import { Problem } from '../api/problem';
import { headersOf, refuser, textOf } from '../api/rest';
import type { Reply } from '../api/steps/answer';
import { sendReply, type Door } from './send';

const problem = (status: number) =>
  new Problem('VALIDATION_ERROR', 'The address or the headers of the request are malformed.', [], { status });

/** What is no proper request is counted against its sender and answered like one, so that its sender can read why. */
function replyTo(address: string | undefined, wanted: number): Promise<Reply> {
  const request = new Request('http://unknown/', { headers: { [PEER_HEADER]: address ?? 'unknown' } });
  return refuser(() => problem(wanted))(arrivalOf(request));
}

/** For a Host or an address that is none. */
export const refuse: Door = async (request, response, common) =>
  sendReply(response, { ...common, Connection: 'close' }, await replyTo(request.socket.remoteAddress, 400));

const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** For what isn't HTTP, is too long, or doesn't arrive: there is a socket and nothing more. */
export function cutOff({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  hangUp(socket, STATUSES[code] ?? 400);
}

/** Says why and closes the connection. */
export function hangUp(socket: Duplex, wanted: number): void {
  socket.on('error', () => socket.destroy());
  void replyTo((socket as Socket).remoteAddress, wanted).then((reply) => {
    const text = textOf(reply) ?? '';
    const headers = { ...headersOf(reply), Connection: 'close', 'Content-Length': Buffer.byteLength(text) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  });
}
