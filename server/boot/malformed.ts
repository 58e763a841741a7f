import { STATUS_CODES, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PEER_HEADER } from '../api/address';
import { Problem } from '../api/problem';
import { refuser } from '../api/rest';

const problem = (status: number) =>
  new Problem('VALIDATION_ERROR', 'The address or the headers of the request are malformed.', [], { status });

/** What is no proper request is counted against its sender and answered like one, so that its sender can read why. */
async function answerTo(address: string | undefined, wanted: number) {
  const request = new Request('http://unknown/', { headers: { [PEER_HEADER]: address ?? 'unknown' } });
  const answer = await refuser(() => problem(wanted))(request);
  const body = Buffer.from(await answer.arrayBuffer());
  const headers = { ...Object.fromEntries(answer.headers), connection: 'close', 'content-length': body.length };
  return { status: answer.status, headers, body };
}

/** For a Host or an address that is none. */
export const refuse: RequestListener = (request, response) => {
  void answerTo(request.socket.remoteAddress, 400).then(({ status, headers, body }) => {
    response.writeHead(status, headers).end(body);
  });
};

/** For requests that only turn out to have no address when one is read off them. */
export const unaddressed = (): Response => Response.json(problem(400).body, { status: 400 });

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
  void answerTo((socket as Socket).remoteAddress, wanted).then(({ status, headers, body }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
    socket.end(body);
  });
}
