import { SocketClientMessage, type SocketServerMessage } from '@/contract/channel';
import { toFieldErrors } from '@/server/platform/errors/zod-issues';
import { serviceLog } from '@/server/platform/log';
import { AUTH_FRAME_COST, type ConnectionAllowance } from './allowance';
import { identifyByToken, type ChannelIdentity } from './identity';
import type { RunWatch } from './watch';

/** The transport's side of a connection. */
export interface ConnectionTransport {
  send(message: SocketServerMessage): void;
  close(code: number, reason: string): void;
  /** Backpressure: true while a slow client has not received much of what was sent. */
  isFull(): boolean;
}

/** Timeouts in milliseconds. */
export interface ConnectionTimeouts {
  /** The time from connecting to a successful `auth`. */
  authMs: number;
  /** The time without a message in either direction. */
  idleMs: number;
}

export const CONNECTION_TIMEOUTS: ConnectionTimeouts = { authMs: 10_000, idleMs: 3_600_000 };

/** Close codes; 4401 means that the client must sign in (again). */
const CLOSE_SIGN_IN_REQUIRED = 4401;
const CLOSE_GOING_AWAY = 1001;
const CLOSE_POLICY_VIOLATION = 1008;

const TOO_MANY_UNKNOWN_IDS = 'Too many subscriptions to unknown ids. Wait before you connect again.';

/** Frames that are queued until `auth` is answered. */
const MAX_WAITING_FRAMES = 100;
export const MAX_CONNECTION_SUBSCRIPTIONS = 2000;

/** What is wrong with a frame, in words for its sender. */
function frameErrorText(error: Parameters<typeof toFieldErrors>[0]): string {
  const [first] = toFieldErrors(error);
  if (!first || first.field === '' || first.field === 'type')
    return 'The message type must be auth, subscribe or unsubscribe.';
  return `${first.field}: ${first.message}`;
}

/**
 * One client connection over any transport: it authenticates first, then subscribes and unsubscribes. It knows no
 * sockets: its transport calls `receive`, `drained` and `closed`, and the owner of the connections calls `revoke` and
 * `stop`.
 */
export class ChannelConnection {
  private identity: ChannelIdentity | null;
  private readonly subscriptions = new Map<string, () => void>();
  private readonly waiting: unknown[] = [];
  private isAuthenticating = false;
  private isOpen = true;
  private timer: NodeJS.Timeout;

  /** `identity` is null if the client has yet to send `auth`. */
  constructor(
    private readonly pipe: ConnectionTransport,
    private readonly watch: RunWatch,
    private readonly allowance: ConnectionAllowance,
    identity: ChannelIdentity | null,
    private readonly timeouts: ConnectionTimeouts = CONNECTION_TIMEOUTS,
    /** Called once the connection is authenticated or closed. */
    private readonly onAuthenticatedOrClosed: () => void = () => undefined,
  ) {
    this.identity = identity;
    if (identity) allowance.enter(identity.userId);
    this.timer = identity ? this.idleTimer() : setTimeout(() => this.end('Authenticate first.'), timeouts.authMs);
  }

  /** Null until authenticated. */
  get currentIdentity(): ChannelIdentity | null {
    return this.identity;
  }

  /** Counts a frame before it is processed. Returns false if it is over the limit; the connection is then closed. */
  admits(bytes: number): boolean {
    if (!this.isOpen) return false;
    if (this.allowance.takeFrame(bytes)) return true;
    this.abuse('Too many messages. Wait before you connect again.');
    return false;
  }

  /** An admitted frame, parsed by the transport; undefined if it is not valid. */
  receive(frame: unknown): void {
    if (!this.isOpen) return;
    if (this.identity && !this.isAuthenticating) this.timer.refresh();
    if (!this.isAuthenticating) this.handle(frame);
    else if (this.waiting.push(frame) > MAX_WAITING_FRAMES)
      this.close(CLOSE_POLICY_VIOLATION, 'Too many messages at once');
  }

  /** The transport can send again. */
  drained(): void {
    this.watch.wake();
  }

  /** The transport is closed. */
  closed(): void {
    this.isOpen = false;
    this.onAuthenticatedOrClosed();
    this.allowance.leave();
    clearTimeout(this.timer);
    for (const unsubscribe of this.subscriptions.values()) unsubscribe();
    this.subscriptions.clear();
  }

  /** The session or token has expired. */
  revoke(): void {
    this.end('The session has ended. Sign in again.');
  }

  /** The service shuts down. */
  stop(): void {
    this.close(CLOSE_GOING_AWAY, 'The service is shutting down');
  }

  private handle(frame: unknown): void {
    const parsed = SocketClientMessage.safeParse(frame);
    if (parsed.data?.type === 'auth') {
      if (this.allowance.take(AUTH_FRAME_COST)) return void this.authenticate(parsed.data.token);
      return this.abuse('Too many sign-ins. Wait before you connect again.');
    }
    if (!this.identity) return this.end('Authenticate first.');
    if (this.pipe.isFull()) return this.close(CLOSE_POLICY_VIOLATION, 'Read the answers first');
    if (!parsed.success) return this.refuse(frameErrorText(parsed.error));
    const { type, executionId } = parsed.data as Exclude<SocketClientMessage, { type: 'auth' }>;
    if (type === 'subscribe') this.subscribe(executionId);
    else this.unsubscribe(executionId);
  }

  /** Also renews the token of a connection, for the same person. */
  private async authenticate(token: string): Promise<void> {
    this.isAuthenticating = true;
    let identity: ChannelIdentity | null;
    try {
      identity = await identifyByToken(token);
    } catch (error) {
      serviceLog().error({ err: error }, 'a socket could not be authenticated');
      return this.end('Signing in is not possible right now. Try again.');
    } finally {
      this.isAuthenticating = false;
    }
    if (!this.isOpen) return;
    if (!identity) return this.end('The token is not valid.');
    if (this.identity && this.identity.userId !== identity.userId)
      return this.end('The token belongs to another user.');
    if (!this.allowance.enter(identity.userId)) return this.abuse('Too many connections. Close some first.');
    this.identity = identity;
    this.onAuthenticatedOrClosed();
    clearTimeout(this.timer);
    this.timer = this.idleTimer();
    while (this.waiting.length > 0 && !this.isAuthenticating && this.isOpen) this.handle(this.waiting.shift());
  }

  private subscribe(executionId: string): void {
    if (this.subscriptions.has(executionId)) return;
    if (this.subscriptions.size >= MAX_CONNECTION_SUBSCRIPTIONS) {
      return this.refuse(
        `More than ${MAX_CONNECTION_SUBSCRIPTIONS} subscriptions: unsubscribe from some first.`,
        executionId,
      );
    }
    if (this.allowance.hasTooManyMisses) return this.abuse(TOO_MANY_UNKNOWN_IDS);
    if (!this.allowance.subscribe()) {
      return this.refuse('Too many subscriptions of your connections: unsubscribe from some first.', executionId);
    }
    let exists = false;
    const remove = this.watch.add({
      executionId,
      identity: () => this.identity as ChannelIdentity,
      isReady: () => !this.pipe.isFull(),
      deliver: (messages) => {
        exists = true;
        this.timer.refresh();
        for (const message of messages) this.pipe.send(message);
      },
      refuse: () => {
        this.subscriptions.delete(executionId);
        this.allowance.unsubscribe();
        this.refuse('The execution does not exist.', executionId);
        // An id that existed and was deleted does not count as a guess.
        if (!exists) this.onUnknown();
      },
    });
    this.subscriptions.set(executionId, () => {
      remove();
      this.allowance.unsubscribe();
    });
  }

  private unsubscribe(executionId: string): void {
    this.subscriptions.get(executionId)?.();
    this.subscriptions.delete(executionId);
  }

  /** The subscription's id is unknown. */
  onUnknown(): void {
    this.allowance.miss();
    if (this.allowance.hasTooManyMisses) this.abuse(TOO_MANY_UNKNOWN_IDS);
  }

  /** Sends the reason, then closes. */
  private abuse(message: string): void {
    if (!this.isOpen) return;
    this.refuse(message);
    this.close(CLOSE_POLICY_VIOLATION, message);
  }

  private refuse(message: string, executionId?: string): void {
    this.pipe.send({ type: 'error', message, ...(executionId === undefined ? {} : { executionId }) });
  }

  private end(message: string): void {
    this.refuse(message);
    this.close(CLOSE_SIGN_IN_REQUIRED, message);
  }

  private close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.closed();
    this.pipe.close(code, reason);
  }

  private idleTimer(): NodeJS.Timeout {
    return setTimeout(() => this.close(1000, 'Idle for too long'), this.timeouts.idleMs);
  }
}
