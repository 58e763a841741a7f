import type { IncomingMessage } from 'node:http';
import { clientAddress, networkOf, PEER_HEADER } from '@/server/client-address';
import { runtime } from '@/server/runtime';

/** The network of an upgrade or handshake. Socket.IO takes its requests before the server adds the address header. */
export function networkBehind({ headers, socket }: IncomingMessage): string {
  const own = (name: string) => (name === PEER_HEADER ? socket.remoteAddress : (headers[name] as string | undefined));
  const values = { get: (name: string) => own(name) ?? null, has: (name: string) => own(name) !== undefined };
  return networkOf(clientAddress(values, runtime().env.trustProxy));
}
