import { afterAll, beforeAll } from 'vitest';
import { startWorker, type EngineWorker, type EngineWorkerOptions } from '@/server/engine/worker';

/**
 * At the top of a test file, after its database: a worker that runs workflows from before its tests until after them.
 */
export function useWorker(options: EngineWorkerOptions = { concurrency: 10 }): void {
  let worker: EngineWorker | undefined;
  beforeAll(async () => {
    worker = await startWorker(options);
  });
  afterAll(() => worker?.stop());
}
