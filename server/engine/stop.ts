/** Something that ends when its signal says so. */
export interface Stoppable {
  readonly signal: AbortSignal;
}

/** A signal that is only made for who listens to it: most runs end without, and each would pay for it. */
export class Stop implements Stoppable {
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

  /** With a reason of its own: the usual one is an error with a stack. */
  private abort(): void {
    this.controller?.abort('The run has ended.');
  }
}
