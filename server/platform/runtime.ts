import type pg from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import type { ServiceEnv } from '@/server/platform/env/env';

/**
 * State shared within one process, on `globalThis`. `main` (or a test) sets it. A module with process-wide state
 * declares its slot here (`declare module '@/server/platform/runtime'`), so that this file imports none of them.
 */
export interface Runtime {
  env: ServiceEnv;
  /** The pool for hand-written SQL. */
  pool: pg.Pool;
  /** A few connections for statements beside an open transaction. */
  aside: pg.Pool;
  prisma: PrismaClient;
}

const RUNTIME_KEY = Symbol.for('weft.runtime');
type RuntimeHolder = { [RUNTIME_KEY]?: Runtime };

export function getRuntime(): Runtime {
  const value = (globalThis as RuntimeHolder)[RUNTIME_KEY];
  if (!value) throw new Error('The runtime is not set: start the service through server/main.ts');
  return value;
}

/** The same; undefined before `main` has set it. */
export const runtimeIfSet = (): Runtime | undefined => (globalThis as RuntimeHolder)[RUNTIME_KEY];

export function setRuntime(value: Runtime | undefined): void {
  (globalThis as RuntimeHolder)[RUNTIME_KEY] = value;
}
