import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../convert';
import { isWorkflowCase, parseCases } from './node-case';

useDatabase();
useWorker();

const cases = parseCases(readFileSync(path.join(import.meta.dirname, 'workflows.jsonl'), 'utf8')).filter(
  isWorkflowCase,
);

it('imported workflows give at their ends what n8n gave', async () => {
  const found = await Promise.all(
    cases.map(async ({ workflow, items, failure }) => {
      const { definition } = importN8n(workflow);
      const start = definition.nodes.find(({ type }) => type === 'start');
      const execution = await (await startRun(await storeWorkflow(definition), {}, start?.id ?? null)).finish();
      const outputs = Object.keys(items).map((name) => {
        const node = definition.nodes.find((one) => one.name === name);
        const result = execution.nodeResults.find(({ nodeId }) => nodeId === node?.id);
        return [name, result?.status === 'completed' ? result.output : []] as const;
      });
      const isFailed = execution.status === 'failed';
      return { name: workflow.name, isFailed, items: failure === undefined ? Object.fromEntries(outputs) : items };
    }),
  );
  expect(found).toEqual(
    cases.map(({ workflow: { name }, items, failure }) => ({ name, isFailed: failure !== undefined, items })),
  );
});
