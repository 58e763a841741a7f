import { afterAll, beforeAll } from 'vitest';
import { startWorker, type Worker, type WorkerOptions } from '@/server/engine/worker';

/** At the top of a test file, after its database: a worker that runs workflows from before its tests until after them. */
export function useWorker(options: WorkerOptions = { concurrency: 10 }): void {
  let worker: Worker | undefined;
  beforeAll(async () => {
    worker = await startWorker(options);
  });
  afterAll(() => worker?.stop());
}
