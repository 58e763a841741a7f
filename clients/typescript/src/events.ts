import { WeftConnectionError, WeftError } from './errors.js';
import { waitUnlessAborted } from './retry.js';
import type { HttpTransport } from './transport.js';
import type { Schemas } from './types.js';

/** What happens in a run. An update with `nodeId` is about that node, one without is about the run. */
export type RunEvent =
  | {
      type: 'execution_update';
      executionId: string;
      status: Schemas['ExecutionStatus'] | Schemas['NodeStatus'];
      nodeId?: string;
      timestamp: string;
    }
  | { type: 'node_completed'; executionId: string; nodeId: string; output: unknown }
  | { type: 'execution_completed'; executionId: string; status: Schemas['ExecutionStatus']; output: unknown };

type SocketFrame = RunEvent | { type: 'error'; message: string };

/** The part of the standard WebSocket that this client uses. */
interface StandardWebSocket {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  send(text: string): void;
  close(): void;
}

/** The service closes the socket with this code if the token is invalid or has expired. */
const CLOSE_UNAUTHORIZED = 4401;
/** The service closes the socket with this code if the client sent too many messages. */
const CLOSE_RATE_LIMITED = 1008;

/**
 * The events of a run from its beginning to its end, each once and in order. A lost connection is opened again, with
 * the retry delays since the last event.
 */
export async function* followRunEvents(
  transport: HttpTransport,
  executionId: string,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const isNew = createNewEventFilter();
  let failures = 0;
  let mayRenew = transport.tokens !== undefined;
  for (;;) {
    try {
      for await (const event of connectionEvents(transport, executionId, signal)) {
        failures = 0;
        mayRenew = transport.tokens !== undefined;
        if (isNew(event)) yield event;
        if (event.type === 'execution_completed') return;
      }
    } catch (error) {
      if (error instanceof WeftError && error.status === 401 && mayRenew) {
        mayRenew = false;
        await transport.renew();
        continue;
      }
      const delayMs = transport.retryDelaysMs[failures];
      if (!(error instanceof WeftConnectionError) || delayMs === undefined) throw error;
      failures += 1;
      await waitUnlessAborted(delayMs, signal);
    }
  }
}

/**
 * Makes a filter for repeated events: a new connection begins with the state so far. The filter returns true for events
 * that are new.
 */
export function createNewEventFilter(): (event: RunEvent) => boolean {
  const completed = new Set<string>();
  const statuses = new Map<string | undefined, string>();
  return (event) => {
    if (event.type === 'execution_completed') return true;
    if (event.type === 'node_completed') {
      const isFirst = !completed.has(event.nodeId);
      completed.add(event.nodeId);
      return isFirst;
    }
    const isChange = statuses.get(event.nodeId) !== event.status;
    statuses.set(event.nodeId, event.status);
    return isChange;
  };
}

/** The events of one connection; throws `WeftConnectionError` when it ends. */
async function* connectionEvents(
  transport: HttpTransport,
  executionId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void, undefined> {
  signal?.throwIfAborted();
  const url = transport.address('/ws');
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const frames: SocketFrame[] = [];
  let failure: unknown;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  const socket = await openWebSocket(url.href);
  const abort = () => fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'auth', token: transport.token ?? '' }));
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'execution', executionId }));
  });
  socket.addEventListener('message', ({ data }) => {
    try {
      frames.push(JSON.parse(String(data)) as SocketFrame);
      wake();
    } catch {
      fail(new WeftConnectionError('The service sent a message that is not JSON.'));
    }
  });
  // Nothing to do here: `close` always follows.
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', ({ code, reason }) => {
    if (code === CLOSE_UNAUTHORIZED) fail(new WeftError('UNAUTHORIZED', reason || 'The token is not valid.', 401));
    else if (code === CLOSE_RATE_LIMITED) fail(new WeftError('RATE_LIMITED', reason || 'Too many messages.', 429));
    else fail(new WeftConnectionError(`The connection to ${url.host} ended (${code}).`));
  });
  try {
    for (;;) {
      const frame = frames.shift();
      if (frame?.type === 'error') {
        // The service closes the connection after an error of the sign-in; its code says more.
        if ('executionId' in frame) throw new WeftError('NOT_FOUND', frame.message, 404);
      } else if (frame) yield frame;
      else if (failure !== undefined) throw failure;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.close();
  }
}

/** The WebSocket of the platform; Node.js has one from version 22 on. */
async function openWebSocket(url: string): Promise<StandardWebSocket> {
  const Native = (globalThis as { WebSocket?: new (url: string) => unknown }).WebSocket;
  const Constructor = Native ?? ((await import('ws')).WebSocket as new (url: string) => unknown);
  return new Constructor(url) as StandardWebSocket;
}
