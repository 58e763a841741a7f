import { getRuntime } from '@/server/platform/runtime';
import { postgresDispatcher } from './postgres';
import type { FleetDispatcher } from './events';

/** The dispatcher that `main` chose; PostgreSQL's by default. */
declare module '@/server/platform/runtime' {
  interface Runtime {
    /** How the processes of a fleet wake each other; absent: through PostgreSQL. */
    dispatcher?: FleetDispatcher;
  }
}

export const currentDispatcher = (): FleetDispatcher => getRuntime().dispatcher ?? postgresDispatcher;
