/** Work that a signal stops. */
export interface StoppableWork {
  readonly signal: AbortSignal;
}

/** Creates its AbortSignal lazily: most runs end without a listener, and a signal per run is expensive. */
export class StopController implements StoppableWork {
  isStopped = false;
  private controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isStopped) this.abort();
    return this.controller.signal;
  }

  stop(): void {
    this.isStopped = true;
    this.abort();
  }

  /** Aborts with a string as the reason: the default reason is an error with a stack trace. */
  private abort(): void {
    this.controller?.abort('The run has ended.');
  }
}
