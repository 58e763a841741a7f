import type { Socket } from 'socket.io-client';
import type { Presence, ServerMessage, WatchPresence, WorkflowHint } from '@/contract/channel';

/** A message of the live channel. */
export type Message = ServerMessage | Presence | WorkflowHint;
type ServerEvents = { [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => void };

/** A topic: the events of an execution, or the presence of people at a workflow. */
export type Subscription = { channel: 'execution'; executionId: string } | WatchPresence;
interface ClientEvents {
  subscribe(subscription: Subscription): void;
  unsubscribe(subscription: Subscription): void;
}

export type Channel = Socket<ServerEvents, ClientEvents>;

const RECONNECT_MS = 2000;

let shared: Promise<Channel> | undefined;

/** The page's single connection for live events, opened at first use and authenticated by the session cookie. */
export function channel(): Promise<Channel> {
  shared ??= open();
  // The code could not be loaded (offline). The next caller tries again.
  shared.catch(() => {
    shared = undefined;
  });
  return shared;
}

async function open(): Promise<Channel> {
  const { io } = await import('socket.io-client');
  const socket: Channel = io({ path: '/socket.io', transports: ['websocket', 'polling'] });
  // The service closes idle and overactive connections. Socket.IO does not reconnect by itself after that.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), RECONNECT_MS);
  });
  return socket;
}
