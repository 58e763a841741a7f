import { setImmediate as breathe } from 'node:timers/promises';

/** Bytes that a parser gets at once, and milliseconds after which others have their turn. */
const PARSED_PIECE_BYTES = 8 * 1024;
const PARSER_TURN_MS = 4;

/** The connection from which the bytes come. */
interface PausableFlow {
  pause(): unknown;
  resume(): unknown;
}

/**
 * Hands what a server sends to the parser of a driver in pieces, so that others have their turn: a server may send any
 * number of small messages, and all that has arrived would be parsed without a pause. Small answers are parsed at once.
 */
export class PacedParser {
  private readonly queue: Buffer[] = [];
  private isRunning = false;
  private spentMs = 0;
  private ready: Promise<void> | undefined;

  /** `parse` does not throw. Without `flow` what arrives meanwhile is kept; something else limits it. */
  constructor(
    private readonly parse: (piece: Buffer) => void,
    private readonly flow?: PausableFlow,
  ) {}

  receive(chunk: Buffer): void {
    this.queue.push(chunk);
    if (!this.isRunning) void this.run();
  }

  /** Bytes that were not parsed yet wait for this promise. It does not reject. */
  waitFor(ready: Promise<void>): void {
    this.ready = ready;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    let isPaused = false;
    for (let chunk = this.queue.shift(); chunk; chunk = this.queue.shift()) {
      for (let at = 0; at < chunk.length; at += PARSED_PIECE_BYTES) {
        if (this.ready || this.spentMs > PARSER_TURN_MS) {
          isPaused = true;
          this.flow?.pause();
          await (this.ready ?? breathe());
          this.ready = undefined;
        }
        this.use(chunk.subarray(at, at + PARSED_PIECE_BYTES));
      }
    }
    this.isRunning = false;
    if (isPaused) this.flow?.resume();
  }

  private use(piece: Buffer): void {
    const since = performance.now();
    // The turn ends, whoever has had it.
    if (this.spentMs === 0) setImmediate(() => (this.spentMs = 0));
    this.parse(piece);
    this.spentMs += performance.now() - since;
  }
}
