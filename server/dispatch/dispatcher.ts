import { runtime } from '@/server/runtime';
import { postgresDispatcher } from './postgres';
import type { Dispatcher } from './events';

/** The dispatcher that `main` chose; PostgreSQL's by default. */
declare module '@/server/runtime' {
  interface Runtime {
    /** How the processes of a fleet wake each other; absent: through PostgreSQL. */
    dispatcher?: Dispatcher;
  }
}

export const dispatcher = (): Dispatcher => runtime().dispatcher ?? postgresDispatcher;
