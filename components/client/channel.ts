import { io, type Socket } from 'socket.io-client';
import type { ServerMessage } from '@/contract/channel';

type ServerEvents = { [Type in ServerMessage['type']]: (message: Extract<ServerMessage, { type: Type }>) => void };
interface Wish {
  channel: 'execution';
  executionId: string;
}
interface ClientEvents {
  subscribe(wish: Wish): void;
  unsubscribe(wish: Wish): void;
}

export type Channel = Socket<ServerEvents, ClientEvents>;

let shared: Channel | undefined;

/** The page's one connection for live events, opened at first use; the session cookie says who is asking. */
export function channel(): Channel {
  if (shared) return shared;
  const socket: Channel = io({ path: '/socket.io', transports: ['websocket', 'polling'] });
  // The service closes idle connections after an hour; then socket.io waits to be told.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') socket.connect();
  });
  shared = socket;
  return socket;
}
