import path from 'node:path';
import type { ExecutionResponse } from '@/contract/execution';
import type { FileValue } from '@/contract/file-value';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { importN8n, type ImportedWorkflow } from '@/import/n8n/convert';
import { closeEvaluation, createEvaluationPool } from '@/server/evaluation/evaluator/evaluation';
import { startWorker } from '@/server/engine/worker';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { setRuntime } from '@/server/platform/runtime';
import { startCluster } from '@/server/testing/cluster';
import { testEnv } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { buildEvaluator } from '../build.mjs';

/** The items that a node gave, in their order. */
export type NodeItems = Record<string, unknown[]>;

/** A run of an imported workflow in Weft. */
export interface WeftRun {
  imported: ImportedWorkflow;
  items: NodeItems;
  /** The message of a failed run. */
  failure: string | undefined;
}

export interface WeftRunner {
  run(exported: unknown): Promise<WeftRun>;
  close(): Promise<void>;
}

/** An item with what n8n says, too, of its files. */
function readFileFacts(item: unknown): unknown {
  const { $files: files } = (item ?? {}) as { $files?: Record<string, FileValue> };
  if (typeof files !== 'object' || files === null) return item;
  const facts = Object.entries(files).map(([key, { name, contentType, size }]) => [key, { name, contentType, size }]);
  return { ...(item as object), $files: Object.fromEntries(facts) as unknown };
}

/** The items that each node gave, by its name in n8n. A node that did not run gives none. */
export function readItemsByName({ nodes }: WorkflowDefinition, { nodeResults }: ExecutionResponse): NodeItems {
  const items: NodeItems = {};
  for (const { id, name } of nodes) {
    const result = nodeResults.find(({ nodeId }) => nodeId === id);
    if (name === undefined || result?.status !== 'completed') continue;
    const { output } = result;
    const list = Array.isArray(output) ? output : output === null || output === undefined ? [] : [output];
    items[name] = list.map(readFileFacts);
  }
  return items;
}

/** Starts a database and a worker in this process. */
export async function startWeftRunner(): Promise<WeftRunner> {
  await buildEvaluator();
  const cluster = await startCluster();
  await migrateDatabase(cluster.url, path.resolve('prisma/migrations'));
  const { pool, aside, prisma } = openDatabaseConnections(cluster.url);
  const env = testEnv({ databaseUrl: cluster.url });
  setRuntime({ env, pool, aside, prisma, evaluation: createEvaluationPool(env) });
  const worker = await startWorker({ concurrency: 4 });
  return {
    async run(exported) {
      const imported = importN8n(exported);
      const { definition } = imported;
      const [start] = definition.nodes.filter(({ type }) => type === 'start');
      const execution = await (await startRun(await storeWorkflow(definition), {}, start?.id ?? null)).finish();
      const failure = execution.error ? `${execution.error.nodeId ?? ''}: ${execution.error.message}` : undefined;
      return { imported, items: readItemsByName(definition, execution), failure };
    },
    async close() {
      await worker.stop();
      closeEvaluation();
      await prisma.$disconnect();
      await pool.end();
      await cluster.remove();
    },
  };
}
