import type { Socket } from 'socket.io-client';
import type {
  PointerFrame,
  PointerUpdate,
  PresenceUpdate,
  SocketServerMessage,
  PresenceSubscription,
  WorkflowHint,
} from '@/contract/channel';

/** A message of the live channel. */
export type LiveMessage = SocketServerMessage | PresenceUpdate | PointerUpdate | WorkflowHint;
type LiveServerEvents = { [Type in LiveMessage['type']]: (message: Extract<LiveMessage, { type: Type }>) => void };

/** A topic: the events of an execution, or the presence of people at a workflow. */
export type LiveSubscription = { channel: 'execution'; executionId: string } | PresenceSubscription;
interface LiveClientEvents {
  subscribe(subscription: LiveSubscription): void;
  unsubscribe(subscription: LiveSubscription): void;
  pointer(frame: PointerFrame): void;
}

export type LiveChannel = Socket<LiveServerEvents, LiveClientEvents>;

const RECONNECT_DELAY_MS = 2000;

let shared: Promise<LiveChannel> | undefined;

/** The page's single connection for live events, opened at first use and authenticated by the session cookie. */
export function openSharedChannel(): Promise<LiveChannel> {
  shared ??= connectLiveChannel();
  // The code could not be loaded (offline). The next caller tries again.
  shared.catch(() => {
    shared = undefined;
  });
  return shared;
}

async function connectLiveChannel(): Promise<LiveChannel> {
  const { io } = await import('socket.io-client');
  const socket: LiveChannel = io({ path: '/socket.io', transports: ['websocket', 'polling'] });
  // The service closes idle and overactive connections. Socket.IO does not reconnect by itself after that.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), RECONNECT_DELAY_MS);
  });
  return socket;
}
