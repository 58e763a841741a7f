import { afterAll, beforeAll } from 'vitest';
import type { Env } from '@/server/env/env';
import { setRuntime, type Runtime } from '@/server/runtime';
import { evaluators, testEnv } from './database';

/** At the top of a test file that evaluates without a database. */
export function useEvaluation(changes: Partial<Env> = {}): void {
  beforeAll(() => setRuntime({ env: testEnv(changes), evaluation: evaluators() } as Runtime));
  afterAll(() => setRuntime(undefined));
}

/** Whom evaluations of tests are done for. */
export const PURPOSE = { workspaceId: 'ws_test' };
