import { once } from 'node:events';
import { ConfigurationError, type ServiceEnv } from '@/server/platform/env/env';
import type { OpenedDatabase } from './database';
import type { ProcessLifetime } from './lifetime';
import { SUPERVISED_ARGUMENT, type DatabaseResponse, type SupervisionReport } from './reports';

/** The service's side of the channel to its supervisor, which runs the embedded database and restarts the service. */
export class SupervisorLink {
  /** The worker of the previous process, if that crashed. */
  readonly predecessor: string | undefined = process.argv[3];

  private constructor() {}

  /** Undefined: this process has no supervisor. */
  static find(): SupervisorLink | undefined {
    return process.argv[2] === SUPERVISED_ARGUMENT ? new SupervisorLink() : undefined;
  }

  report(report: SupervisionReport): void {
    // `follow` detects a supervisor that is gone.
    process.send?.(report, undefined, undefined, () => undefined);
  }

  /** Shuts the process down when the supervisor dies, and reports a shutdown that the supervisor did not request. */
  follow(lifetime: ProcessLifetime): void {
    process.once('disconnect', () => {
      if (!lifetime.isEnding) void lifetime.end(0);
    });
    lifetime.onSignal(() => this.report({ kind: 'stopping' }));
  }

  /** The embedded database, which the supervisor runs. */
  async openDatabase({ dataDir, logLevel }: ServiceEnv): Promise<OpenedDatabase> {
    const answered = once(process, 'message');
    this.report({ kind: 'database', dataDir, logLevel });
    const [answer] = (await answered) as [DatabaseResponse];
    if ('error' in answer) throw new ConfigurationError([answer.error]);
    return { ...answer, stop: async () => undefined };
  }
}
