import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWorkflow, until } from '@/server/testing/runs';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startTarget, type Target } from '@/server/testing/servers/target';

useOwnDatabase();

const LIMIT_MS = 90_000;
/** Heap limit of the worker; the values of the concurrent runs take more than twice as much. */
const HEAP_MIB = 112;
const RUNS = 24;

let target: Target;
let worker: ServiceProcess;
beforeAll(async () => {
  target = await startTarget();
  // Holds the responses until all requests have arrived.
  target.hold('/');
  const options = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`, WORKER_CONCURRENCY: '200' };
  worker = await startWorkerProcess(getRuntime().env.databaseUrl ?? '', options);
});
afterAll(async () => {
  await worker.end('SIGKILL');
  await target.close();
});

/** Peak resident memory of a process, in MiB. */
const peakOf = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it(
  'the memory of a worker stays bounded with many large loops, sub-workflows and outputs',
  async () => {
    const start = { type: 'start' };
    const call = { type: 'http_request', config: { url: `${target.url}/`, method: 'POST' } };
    const shape = (expression: string) => ({ type: 'transform', config: { expression } });
    const list = '[1..4].{"n": $, "text": $pad("", 500000, "x")}';
    const looping = await storeWorkflow(
      flow(
        {
          s: start,
          each: {
            type: 'for_each',
            config: {
              items: list,
              body: flow({ in: start, c: call, out: shape('nodes.in.item.n') }, ['in>c', 'c>out']),
            },
          },
        },
        ['s>each'],
      ),
    );
    const child = await storeWorkflow(flow({ s: start, big: shape(list) }, ['s>big']), looping.workspaceId);
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId } };
    const waiting = await storeWorkflow(
      flow({ s: start, sub, c: call, out: shape('$sum(nodes.sub.n)') }, ['s>sub', 'sub>c', 'c>out']),
      looping.workspaceId,
    );
    const runs = await Promise.all(
      Array.from({ length: RUNS }, (_, index) => startRun(index % 2 === 0 ? looping : waiting)),
    );
    await Promise.race([
      until(async () => target.calls.length === RUNS, 'all runs to be in a call', LIMIT_MS),
      worker.gone.then(() => Promise.reject(new Error(`The worker has died: ${worker.output().slice(-2000)}`))),
    ]);
    target.letGo('/');
    const ids = runs.map(({ executionId }) => executionId);
    const { rows } = await until(
      async () => {
        const found = await databasePool().query<{ output: unknown }>(
          `SELECT output FROM execution WHERE id = ANY($1) AND status = 'completed'`,
          [ids],
        );
        return found.rows.length === RUNS && found;
      },
      'the runs to complete',
      LIMIT_MS,
    );
    const outputs = rows.map(({ output }) => JSON.stringify(output)).toSorted();
    expect(new Set(outputs)).toEqual(new Set(['10', '[1,2,3,4]']));
    expect(peakOf(worker.pid)).toBeLessThan(HEAP_MIB + 250);
  },
  LIMIT_MS,
);
