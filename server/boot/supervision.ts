import { once } from 'node:events';
import { ConfigurationError, type Env } from '@/server/env/env';
import type { Database } from './database';
import type { Lifetime } from './lifetime';
import { SUPERVISED, type DatabaseAnswer, type Report } from './reports';

/** The service's side of the channel to its supervisor, which runs the embedded database and restarts the service. */
export class Supervision {
  /** The worker of the previous process, if that crashed. */
  readonly predecessor: string | undefined = process.argv[3];

  private constructor() {}

  /** Undefined: this process has no supervisor. */
  static find(): Supervision | undefined {
    return process.argv[2] === SUPERVISED ? new Supervision() : undefined;
  }

  report(report: Report): void {
    // `follow` detects a supervisor that is gone.
    process.send?.(report, undefined, undefined, () => undefined);
  }

  /** Shuts the process down when the supervisor dies, and reports a shutdown that the supervisor did not request. */
  follow(lifetime: Lifetime): void {
    process.once('disconnect', () => {
      if (!lifetime.isEnding) void lifetime.end(0);
    });
    lifetime.onSignal(() => this.report({ kind: 'stopping' }));
  }

  /** The embedded database, which the supervisor runs. */
  async openDatabase({ dataDir, logLevel }: Env): Promise<Database> {
    const answered = once(process, 'message');
    this.report({ kind: 'database', dataDir, logLevel });
    const [answer] = (await answered) as [DatabaseAnswer];
    if ('error' in answer) throw new ConfigurationError([answer.error]);
    return { ...answer, stop: async () => undefined };
  }
}
