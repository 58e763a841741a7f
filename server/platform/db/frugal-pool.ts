import pg from 'pg';
import { noteDatabaseError } from './failures/verdict';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that opens one connection at a time; meanwhile, connections that come free are passed on. A burst of short
 * statements, as at the start of a process, shares a few connections, where the pool of node-postgres opens one for
 * each statement. Opening one costs the server as much as a hundred short statements.
 */
export class SerialConnectPool extends pg.Pool {
  private isOpening = false;
  /** Idle connections that are already promised. */
  private taken = 0;
  /** Callers that wait while a connection is being opened, in their order. */
  private waiting: ConnectCallback[] = [];

  constructor(config: pg.PoolConfig) {
    super(config);
    // A released connection counts as idle only after this event.
    this.on('release', () => process.nextTick(() => this.passOn()));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(give: ConnectCallback): void;
  override connect(give?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (!give) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('no connection')))),
      );
    }
    this.lend((error, client, done) => {
      if (error) noteDatabaseError(error);
      give(error, client, done);
    });
  }

  private lend(give: ConnectCallback): void {
    if (this.hasIdle()) this.take(give);
    else if (this.ending || this.totalCount >= (this.options.max ?? 0)) super.connect(give);
    else if (this.isOpening) this.waiting.push(give);
    else this.open(give);
  }

  private readonly hasIdle = () => this.idleCount > this.taken;

  private take(give: ConnectCallback): void {
    this.taken += 1;
    super.connect((error, client, done) => {
      this.taken -= 1;
      give(error, client, done);
    });
  }

  private open(give: ConnectCallback): void {
    this.isOpening = true;
    super.connect((error, client, done) => {
      this.isOpening = false;
      give(error, client, done);
      // After a failure all of them try at once, because their timeouts would add up if they tried one after the other.
      for (const next of this.waiting.splice(0)) {
        if (error) super.connect(next);
        else this.lend(next);
      }
    });
  }

  private passOn(): void {
    if (!this.hasIdle()) return;
    const next = this.waiting.shift();
    if (next) this.take(next);
  }
}
