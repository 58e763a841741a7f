import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../convert';
import { startAnswerServer } from '@/server/testing/n8n-answers';
import { isWorkflowCase, parseCalledCases, parseCases, type CalledCase, type WorkflowCase } from './node-case';

useDatabase();
useWorker();

const answers = await startAnswerServer();
afterAll(answers.close);

type ReadNode = Pick<WorkflowNode, 'id' | 'name' | 'config'>;

/** What the nodes with a name gave: those of a definition, or those of bodies in all rounds, one after another. */
function readItems(
  nodes: readonly ReadNode[],
  name: string,
  results: ExecutionResponse['nodeResults'],
  path = '',
): unknown[] {
  const own = nodes.find((one) => one.name === name);
  const place = new RegExp(`^${path}${own?.id ?? ''}$`);
  if (own)
    return results
      .filter(({ nodeId, status }) => place.test(nodeId) && status === 'completed')
      .toSorted((a, b) => a.nodeId.localeCompare(b.nodeId, 'en', { numeric: true }))
      .flatMap(({ output }) => output ?? []);
  return nodes.flatMap(({ id, config }) => {
    const body = config['body'] as { nodes: ReadNode[] } | undefined;
    return body ? readItems(body.nodes, name, results, `${path}${id}\\[\\d+\\]\\.`) : [];
  });
}

const readCaseFile = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8');
const readWorkflowCases = (name: string) => parseCases(readCaseFile(name)).filter(isWorkflowCase);

/** So many run at once: each is awaited for a limited time. */
const CONCURRENT_RUNS = 16;

async function runCase({ workflow, items, failure }: WorkflowCase) {
  const { definition } = importN8n(answers.place(workflow));
  const start = definition.nodes.find(({ type }) => type === 'start');
  const execution = await (await startRun(await storeWorkflow(definition), {}, start?.id ?? null)).finish();
  const outputs = Object.keys(items).map((name) => {
    return [name, readItems(definition.nodes, name, execution.nodeResults)] as const;
  });
  const isFailed = execution.status === 'failed';
  return { name: workflow.name, isFailed, items: failure === undefined ? Object.fromEntries(outputs) : items };
}

async function callCase({ called, given }: CalledCase) {
  const { definition, report, calledStartId } = importN8n(called);
  const execution = await (await startRun(await storeWorkflow(definition), given, calledStartId)).finish();
  const tasks = report.filter(({ outcome }) => outcome !== 'converted').map(({ message }) => message);
  return { name: called.name, result: execution.output ?? [], error: execution.error, tasks };
}

it('what n8n runs several times is repeated, and nothing is to check', () => {
  for (const { workflow } of readWorkflowCases('runs.jsonl'))
    expect([workflow.name, importN8n(workflow).report.filter(({ outcome }) => outcome !== 'converted')]).toEqual([
      workflow.name,
      [],
    ]);
});

it('callers of imported workflows get what n8n gave them', async () => {
  const cases = parseCalledCases(readCaseFile('called.jsonl'));
  const found: object[] = [];
  for (let at = 0; at < cases.length; at += CONCURRENT_RUNS)
    found.push(...(await Promise.all(cases.slice(at, at + CONCURRENT_RUNS).map(callCase))));
  expect(found).toEqual(cases.map(({ called, result }) => ({ name: called.name, result, error: null, tasks: [] })));
});

it.each([
  'workflows.jsonl',
  'data-nodes.jsonl',
  'errors-and-dates.jsonl',
  'code-and-files.jsonl',
  'http.jsonl',
  'runs.jsonl',
])('imported workflows of %s give at their ends what n8n gave', async (name) => {
  const cases = readWorkflowCases(name);
  const found: object[] = [];
  for (let at = 0; at < cases.length; at += CONCURRENT_RUNS)
    found.push(...(await Promise.all(cases.slice(at, at + CONCURRENT_RUNS).map(runCase))));
  expect(found).toEqual(
    cases.map(({ workflow: { name }, items, failure }) => ({ name, isFailed: failure !== undefined, items })),
  );
});
