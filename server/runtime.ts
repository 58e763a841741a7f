import type pg from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import type { Env } from '@/server/env/env';

/**
 * State shared within one process, on `globalThis`. `main` (or a test) sets it. A module with process-wide state declares its slot here
 * (`declare module '@/server/runtime'`), so that this file imports none of them.
 */
export interface Runtime {
  env: Env;
  /** The pool for hand-written SQL. */
  pool: pg.Pool;
  /** A few connections for statements beside an open transaction. */
  aside: pg.Pool;
  prisma: PrismaClient;
}

const KEY = Symbol.for('weft.runtime');
type Holder = { [KEY]?: Runtime };

export function runtime(): Runtime {
  const value = (globalThis as Holder)[KEY];
  if (!value) throw new Error('The runtime is not set: start the service through server/main.ts');
  return value;
}

/** The same; undefined before `main` has set it. */
export const runtimeIfSet = (): Runtime | undefined => (globalThis as Holder)[KEY];

export function setRuntime(value: Runtime | undefined): void {
  (globalThis as Holder)[KEY] = value;
}
