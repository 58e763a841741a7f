import { expect, it, vi } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, storeWaitingRuns, storeWorkflow } from '@/server/testing/runs';
import { ClaimLoop } from './claim-loop';
import { CrashQuarantine } from './queue/quarantine';
import { startWorker } from './worker';
import { LeasedWorker } from './worker-lease';

useDatabase();
const LEASE_MS = 60_000;
const NEWER = 2 ** 30;
const definition = flow({ s: { type: 'start' } });

/** Counts the claims that a function makes. */
async function countClaims(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(databasePool(), 'query');
  try {
    await work();
    return query.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'engine.claim').length;
  } finally {
    query.mockRestore();
  }
}

it('an idle worker claims once, however many workspaces have runs that wait', async () => {
  await storeWaitingRuns(1000);
  const lease = await LeasedWorker.register(LEASE_MS);
  const loop = new ClaimLoop({
    concurrency: 10,
    kinds: definitionsByNodeType,
    quarantine: new CrashQuarantine(false),
    lease,
  });
  expect(await countClaims(loop.pollOnce)).toBe(1);
  await loop.stop();
  await lease.unregister();
});

it('a run that requires more than one worker knows is run by another', async () => {
  const workers = [await startWorker({ concurrency: 10, abilities: 0 })];
  try {
    const workflow = await storeWorkflow(definition);
    await prismaClient().workflowVersion.updateMany({
      where: { workflowId: workflow.workflowId },
      data: { requiredAbilities: NEWER },
    });
    const run = await startRun(workflow);
    const other = await startRun(await storeWorkflow(definition));
    await other.finish();
    expect((await run.read()).status).toBe('pending');
    workers.push(await startWorker({ concurrency: 10, abilities: NEWER }));
    expect((await run.finish()).status).toBe('completed');
  } finally {
    for (const worker of workers) await worker.stop();
  }
});
