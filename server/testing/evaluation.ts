import { afterAll, beforeAll } from 'vitest';
import type { ServiceEnv } from '@/server/platform/env/env';
import { setRuntime, type Runtime } from '@/server/platform/runtime';
import { evaluators, testEnv } from './database';

/** At the top of a test file that evaluates without a database. */
export function useEvaluation(changes: Partial<ServiceEnv> = {}): void {
  beforeAll(() => setRuntime({ env: testEnv(changes), evaluation: evaluators() } as Runtime));
  afterAll(() => setRuntime(undefined));
}

/** Whom evaluations of tests are done for. */
export const PURPOSE = { workspaceId: 'ws_test' };
