import type { Socket } from 'socket.io-client';
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

let shared: Promise<Channel> | undefined;

/** The page's one connection for live events, loaded and opened at first use; the session cookie says who is asking. */
export function channel(): Promise<Channel> {
  shared ??= open();
  // Without the network there is nothing to load either; the next one to ask tries again.
  shared.catch(() => {
    shared = undefined;
  });
  return shared;
}

async function open(): Promise<Channel> {
  const { io } = await import('socket.io-client');
  const socket: Channel = io({ path: '/socket.io', transports: ['websocket', 'polling'] });
  // The service closes idle connections after an hour; then socket.io waits to be told.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') socket.connect();
  });
  return socket;
}
