import type { Socket } from 'socket.io-client';
import type { Presence, ServerMessage, Visit } from '@/contract/channel';

/** What the service tells over the channel. */
export type Message = ServerMessage | Presence;
type ServerEvents = { [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => void };

/** What one can subscribe to: an execution, or who else is at a workflow. */
export type Wish = { channel: 'execution'; executionId: string } | Visit;
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
