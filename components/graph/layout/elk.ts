import type { ELK } from 'elkjs/lib/elk-api';

let started: Promise<ELK> | undefined;

/** ELK, started at first use: in a worker of the browser, or in this thread where there are none. */
export const loadLayoutEngine = (): Promise<ELK> => (started ??= startLayoutEngine());

async function startLayoutEngine(): Promise<ELK> {
  if (typeof Worker === 'undefined') {
    const { default: Bundled } = await import('elkjs/lib/elk.bundled.js');
    return new Bundled();
  }
  const { default: Api } = await import('elkjs/lib/elk-api');
  return new Api({
    workerFactory: () => new Worker(new URL('elk.worker.ts', import.meta.url), { name: 'layout', type: 'module' }),
  });
}
