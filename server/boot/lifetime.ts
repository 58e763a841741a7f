/** Signals that arrive together, from the terminal and from npm, are one. */
const ECHO_MS = 1000;
/** Stopping takes no longer than this. */
const LIMIT_MS = 30_000;

/** What a process has opened, and its orderly end. */
export class Lifetime {
  private readonly opened: { name: string; close: () => Promise<void> }[] = [];
  private endingSince: number | undefined;

  /** `close` is called at the end, before those of what was added earlier. */
  add(name: string, close: () => Promise<void>): void {
    this.opened.push({ name, close });
    // The end began while this was being opened.
    if (this.isEnding) void this.closeAll();
  }

  get isEnding(): boolean {
    return this.endingSince !== undefined;
  }

  /** The first signal ends the process in order, a second one at once. */
  endOnSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.endingSince === undefined) {
          process.stdout.write('Stopping …\n');
          void this.end(0);
        } else if (performance.now() - this.endingSince > ECHO_MS) {
          process.exit(1);
        }
      });
    }
  }

  async end(code: number): Promise<void> {
    this.endingSince = performance.now();
    setTimeout(() => {
      process.stderr.write(`Not stopped within ${LIMIT_MS / 1000} s; ending anyway.\n`);
      process.exit(1);
    }, LIMIT_MS);
    const isClean = await this.closeAll();
    if (code === 0 && isClean) process.stdout.write('Stopped.\n');
    process.exit(isClean ? code : 1);
  }

  private async closeAll(): Promise<boolean> {
    let isClean = true;
    for (let last = this.opened.pop(); last; last = this.opened.pop()) {
      try {
        await last.close();
      } catch (error) {
        isClean = false;
        process.stderr.write(
          `Stopping the ${last.name} failed: ${error instanceof Error ? error.stack : String(error)}\n`,
        );
      }
    }
    return isClean;
  }
}
