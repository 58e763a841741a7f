import type { IncomingMessage } from 'node:http';
import { findClientAddress, networkOfAddress, PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { getRuntime } from '@/server/platform/runtime';

/** The network of an upgrade or handshake. Socket.IO takes its requests before the server adds the address header. */
export function clientNetwork({ headers, socket }: IncomingMessage): string {
  const own = (name: string) =>
    name === PEER_ADDRESS_HEADER ? socket.remoteAddress : (headers[name] as string | undefined);
  const values = { get: (name: string) => own(name) ?? null, has: (name: string) => own(name) !== undefined };
  return networkOfAddress(findClientAddress(values, getRuntime().env.trustProxy));
}
