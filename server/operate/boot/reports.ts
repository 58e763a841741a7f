import type { ServiceEnv } from '@/server/platform/env/env';

/** The argument that marks a supervised service. After a crash the name of the dead worker follows. */
export const SUPERVISED_ARGUMENT = 'supervised';

/** Messages of the service to its supervisor. */
export type SupervisionReport =
  /** The service needs the embedded database. */
  | { kind: 'database'; dataDir: string; logLevel: ServiceEnv['logLevel'] }
  /** The service executes runs under this worker name. */
  | { kind: 'worker'; id: string }
  /** The service is ready. */
  | { kind: 'ready' }
  /** The service was asked to stop: its exit is not a crash. */
  | { kind: 'stopping' };

/** The supervisor's answer to `database`. */
export type DatabaseResponse = { url: string; pid: number } | { error: string };
