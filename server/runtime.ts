import type pg from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import type { CallRate } from './api/call-rate';
import type { TokenBuckets } from './api/token-bucket';
import type { Refusals } from './auth/refusals';
import type { Dispatcher } from './dispatch/dispatcher';
import type { Taker } from './engine/handover';
import type { Env } from './env';

/**
 * What one process shares. Next bundles the route handlers apart from `server/main.ts`, so every module exists twice
 * in a process; this holder on `globalThis` is the one place where both halves meet. `main` (or a test) fills it.
 */
export interface Runtime {
  env: Env;
  /** The pool for hand-written SQL. */
  pool: pg.Pool;
  prisma: PrismaClient;
  /** How the fleet's processes wake each other; absent: through PostgreSQL. */
  dispatcher?: Dispatcher;
  /** The workers of this process: they may have runs from their first moment on. */
  takers?: Set<Taker>;
  /** Rate limits, counted across both halves of the process; made at the first request. */
  buckets?: TokenBuckets;
  /** How often it is called, counted likewise. */
  callRate?: CallRate;
  /** Refusals of this minute, counted likewise. */
  refusals?: Refusals;
}

const KEY = Symbol.for('weft.runtime');
type Holder = { [KEY]?: Runtime };

export function runtime(): Runtime {
  const value = (globalThis as Holder)[KEY];
  if (!value) throw new Error('The runtime is not set: start the service through server/main.ts');
  return value;
}

export function setRuntime(value: Runtime | undefined): void {
  (globalThis as Holder)[KEY] = value;
}
