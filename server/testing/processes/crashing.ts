// A worker process with a node type whose nodes kill the process that runs them. The service has no such type.
import { z } from 'zod';
import { ISOLATED_RUN_ARGUMENT, runIsolatedProcess, startIsolatedProcesses } from '@/server/operate/boot/isolated-runs';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { startWorker } from '@/server/engine/worker';
import { readServiceEnv } from '@/server/platform/env/env';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { defineNodeType } from '@/server/workflow/nodes/node-type';
import { setRuntime } from '@/server/platform/runtime';

const crash = defineNodeType({
  type: 'crash',
  title: 'Crash',
  summary: 'Kills its process.',
  category: 'action',
  config: z.looseObject({}),
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run() {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
});
const kinds = new Map([...definitionsByNodeType, ['crash', crash] as const]);

async function open(databaseUrl: string): Promise<void> {
  setRuntime({ env: { ...readServiceEnv(), databaseUrl }, ...openDatabaseConnections(databaseUrl) });
}

if (process.argv[2] === ISOLATED_RUN_ARGUMENT) {
  await runIsolatedProcess(open, kinds);
  process.exit(0);
}
await open(process.env.DATABASE_URL ?? '');
// Their tests wait for many crashes.
const aloneProcesses = startIsolatedProcesses(import.meta.filename, { maxBackoffMs: 500 });
const worker = await startWorker({ concurrency: 20, kinds });
process.once('SIGTERM', async () => {
  await Promise.all([worker.stop(), aloneProcesses.stop()]);
  process.exit(0);
});
process.stdout.write(`Processes: worker ${process.pid}\n`);
