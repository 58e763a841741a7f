// A worker process with a node type whose nodes kill the process that runs them. The service has no such type.
import { z } from 'zod';
import { ALONE, beAlone, startAloneProcesses } from '@/server/boot/alone';
import { connect } from '@/server/db/client';
import { startWorker } from '@/server/engine/worker';
import { readEnv } from '@/server/env/env';
import { kindsByType } from '@/server/nodes';
import { nodeKind } from '@/server/nodes/node';
import { setRuntime } from '@/server/runtime';

const crash = nodeKind({
  type: 'crash',
  title: 'Crash',
  summary: 'Kills its process.',
  category: 'action',
  config: z.looseObject({}),
  required: [],
  expressions: [],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  run() {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
});
const kinds = new Map([...kindsByType, ['crash', crash] as const]);

async function open(databaseUrl: string): Promise<void> {
  setRuntime({ env: { ...readEnv(), databaseUrl }, ...connect(databaseUrl) });
}

if (process.argv[2] === ALONE) {
  await beAlone(open, kinds);
  process.exit(0);
}
await open(process.env.DATABASE_URL ?? '');
// Their tests wait for many crashes.
const aloneProcesses = startAloneProcesses(import.meta.filename, { maxBackoffMs: 500 });
const worker = await startWorker({ concurrency: 20, kinds });
process.once('SIGTERM', async () => {
  await Promise.all([worker.stop(), aloneProcesses.stop()]);
  process.exit(0);
});
process.stdout.write(`Processes: worker ${process.pid}\n`);
