import { printMessage } from './print-message';

/** Signals that arrive together, from the terminal and from npm, count as one. */
const SIGNAL_ECHO_MS = 1000;
/** The maximum time of a shutdown in milliseconds. */
const SHUTDOWN_LIMIT_MS = 30_000;

interface LifetimeOptions {
  limitMs?: number;
  /** Another process reports that this one is stopping and has stopped. */
  isQuiet?: boolean;
}

/** The open resources of a process, and their orderly shutdown. */
export class ProcessLifetime {
  private readonly resources: { name: string; close: () => Promise<void> }[] = [];
  private endingSince: number | undefined;
  private readonly limitMs: number;
  private readonly isQuiet: boolean;
  private tell: () => void = () => {};

  constructor({ limitMs = SHUTDOWN_LIMIT_MS, isQuiet = false }: LifetimeOptions = {}) {
    this.limitMs = limitMs;
    this.isQuiet = isQuiet;
  }

  /** At shutdown `close` runs in reverse order of registration. */
  add(name: string, close: () => Promise<void>): void {
    this.resources.push({ name, close });
    // The shutdown began while this was being opened.
    if (this.isEnding) void this.closeAll();
  }

  get isEnding(): boolean {
    return this.endingSince !== undefined;
  }

  /** `onSignal` is called when a signal begins the shutdown. */
  onSignal(tell: () => void): void {
    this.tell = tell;
  }

  /** The first signal ends the process in order, a second one at once. */
  endOnSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.endingSince === undefined) {
          if (!this.isQuiet) printMessage('Stopping …');
          this.tell();
          void this.end(0);
        } else if (performance.now() - this.endingSince > SIGNAL_ECHO_MS) {
          process.exit(1);
        }
      });
    }
  }

  async end(code: number): Promise<void> {
    this.endingSince = performance.now();
    setTimeout(() => {
      printMessage(`Not stopped within ${this.limitMs / 1000} s; exiting now.`, { isError: true });
      process.exit(1);
    }, this.limitMs);
    const isClean = await this.closeAll();
    if (code === 0 && isClean && !this.isQuiet) printMessage('Stopped.');
    process.exit(isClean ? code : 1);
  }

  private async closeAll(): Promise<boolean> {
    let isClean = true;
    for (let last = this.resources.pop(); last; last = this.resources.pop()) {
      try {
        await last.close();
      } catch (error) {
        isClean = false;
        printMessage(`Stopping the ${last.name} failed: ${error instanceof Error ? error.stack : String(error)}`, {
          isError: true,
        });
      }
    }
    return isClean;
  }
}
