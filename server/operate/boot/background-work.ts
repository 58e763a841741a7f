import { serviceLog } from '@/server/platform/log';

interface BackgroundPart {
  stop(): Promise<void>;
}

/** Adds a part that runs from now on. Parts stop in reverse order. */
export type AddBackgroundPart = (name: string, part: BackgroundPart) => void;

/** The loops of a process that work by themselves. They stop for maintenance and start again after it. */
export class BackgroundWork {
  private readonly parts: { name: string; part: BackgroundPart }[] = [];
  private isEnding = false;

  /** `begin` starts all parts. */
  constructor(private readonly begin: (add: AddBackgroundPart) => Promise<void>) {}

  async start(): Promise<void> {
    if (this.isEnding) return;
    // An earlier start that failed may have started some parts.
    await this.stop();
    await this.begin((name, part) => this.parts.push({ name, part }));
    // The shutdown began meanwhile.
    if (this.isEnding) await this.stop();
  }

  /** Stops all parts. Throws the first error, after all are stopped. */
  async stop(): Promise<void> {
    const errors: unknown[] = [];
    for (let last = this.parts.pop(); last; last = this.parts.pop()) {
      const { name, part } = last;
      await part.stop().catch((error: unknown) => {
        serviceLog().error({ err: error, part: name }, 'a part of the background work could not be stopped');
        errors.push(error);
      });
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Stops all parts for good. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.stop();
  }
}
