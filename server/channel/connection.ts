import { ClientMessage, type ServerMessage } from '@/contract/channel';
import { log } from '../log';
import { fromToken, type Identity } from './identity';
import type { Watch } from './watch';

/** What a transport does for a connection. */
export interface Pipe {
  send(message: ServerMessage): void;
  close(code: number, reason: string): void;
  /** True while much of what was sent is still on its way to a slow client. */
  isFull(): boolean;
}

/** Waiting times in milliseconds. */
export interface Patience {
  /** From connecting to a successful `auth`. */
  authMs: number;
  /** Without a message in either direction. */
  idleMs: number;
}

export const PATIENCE: Patience = { authMs: 10_000, idleMs: 3_600_000 };

/** Close codes; 4401 says that the client must sign in (again). */
const UNAUTHORIZED = 4401;
const GOING_AWAY = 1001;
const TOO_MUCH = 1008;

/** Frames that may wait for the answer to `auth`. */
const MAX_WAITING = 100;
const MAX_SUBSCRIPTIONS = 2000;

/**
 * One client, whatever it came by: authenticates first, then subscribes and unsubscribes. Knows no sockets; its
 * transport calls `receive`, `drained` and `closed`, and whoever keeps the connections calls `revoke` and `stop`.
 */
export class Connection {
  private identity: Identity | null;
  private readonly subscriptions = new Map<string, () => void>();
  private readonly waiting: unknown[] = [];
  private isAuthenticating = false;
  private isOpen = true;
  private timer: NodeJS.Timeout;

  /** `identity` is null when the client has yet to send `auth`. */
  constructor(
    private readonly pipe: Pipe,
    private readonly watch: Watch,
    identity: Identity | null,
    private readonly patience: Patience = PATIENCE,
  ) {
    this.identity = identity;
    this.timer = identity ? this.idleTimer() : setTimeout(() => this.end('Authenticate first.'), patience.authMs);
  }

  /** Null until authenticated. */
  get speaksFor(): Identity | null {
    return this.identity;
  }

  /** A frame as the transport understood it: parsed JSON, or undefined for what can't be understood. */
  receive(frame: unknown): void {
    if (!this.isOpen) return;
    if (this.identity && !this.isAuthenticating) this.timer.refresh();
    if (!this.isAuthenticating) this.handle(frame);
    else if (this.waiting.push(frame) > MAX_WAITING) this.close(TOO_MUCH, 'Too many messages at once');
  }

  /** The transport's way is free again. */
  drained(): void {
    this.watch.wake();
  }

  /** The transport is closed. */
  closed(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
    for (const unsubscribe of this.subscriptions.values()) unsubscribe();
    this.subscriptions.clear();
  }

  /** Its session or token is over. */
  revoke(): void {
    this.end('The session is over. Sign in again.');
  }

  /** The service stops. */
  stop(): void {
    this.close(GOING_AWAY, 'The service is going away');
  }

  private handle(frame: unknown): void {
    const parsed = ClientMessage.safeParse(frame);
    if (parsed.data?.type === 'auth') return void this.authenticate(parsed.data.token);
    if (!this.identity) return this.end('Authenticate first.');
    if (this.pipe.isFull()) return this.close(TOO_MUCH, 'Read the answers first');
    if (!parsed.success) return this.refuse('The message is none of auth, subscribe and unsubscribe.');
    const { type, executionId } = parsed.data as Exclude<ClientMessage, { type: 'auth' }>;
    if (type === 'subscribe') this.subscribe(executionId);
    else this.unsubscribe(executionId);
  }

  /** Also renews the token of a connection, for the same person. */
  private async authenticate(token: string): Promise<void> {
    this.isAuthenticating = true;
    let identity: Identity | null;
    try {
      identity = await fromToken(token);
    } catch (error) {
      log().error({ err: error }, 'a socket could not be authenticated');
      return this.end('Signing in is not possible right now. Try again.');
    } finally {
      this.isAuthenticating = false;
    }
    if (!this.isOpen) return;
    if (!identity) return this.end('The token is not valid.');
    if (this.identity && this.identity.userId !== identity.userId) return this.end('The token is somebody else’s.');
    this.identity = identity;
    clearTimeout(this.timer);
    this.timer = this.idleTimer();
    while (this.waiting.length > 0 && !this.isAuthenticating && this.isOpen) this.handle(this.waiting.shift());
  }

  private subscribe(executionId: string): void {
    if (this.subscriptions.has(executionId)) return;
    if (this.subscriptions.size >= MAX_SUBSCRIPTIONS) {
      return this.refuse(`More than ${MAX_SUBSCRIPTIONS} subscriptions: unsubscribe from some first.`, executionId);
    }
    const unsubscribe = this.watch.add({
      executionId,
      identity: () => this.identity as Identity,
      isReady: () => !this.pipe.isFull(),
      deliver: (messages) => {
        this.timer.refresh();
        for (const message of messages) this.pipe.send(message);
      },
      refuse: () => {
        this.subscriptions.delete(executionId);
        this.refuse('The execution does not exist.', executionId);
      },
    });
    this.subscriptions.set(executionId, unsubscribe);
  }

  private unsubscribe(executionId: string): void {
    this.subscriptions.get(executionId)?.();
    this.subscriptions.delete(executionId);
  }

  private refuse(message: string, executionId?: string): void {
    this.pipe.send({ type: 'error', message, ...(executionId === undefined ? {} : { executionId }) });
  }

  private end(message: string): void {
    this.refuse(message);
    this.close(UNAUTHORIZED, message);
  }

  private close(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.closed();
    this.pipe.close(code, reason);
  }

  private idleTimer(): NodeJS.Timeout {
    return setTimeout(() => this.close(1000, 'Idle for too long'), this.patience.idleMs);
  }
}
