import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
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

const readCaseFile = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8');
const readWorkflowCases = (name: string) => parseCases(readCaseFile(name)).filter(isWorkflowCase);

/** So many run at once: each is awaited for a limited time. */
const CONCURRENT_RUNS = 16;

async function runCase({ workflow, items, failure }: WorkflowCase) {
  const { definition } = importN8n(answers.place(workflow));
  const start = definition.nodes.find(({ type }) => type === 'start');
  const execution = await (await startRun(await storeWorkflow(definition), {}, start?.id ?? null)).finish();
  const outputs = Object.keys(items).map((name) => {
    const node = definition.nodes.find((one) => one.name === name);
    const result = execution.nodeResults.find(({ nodeId }) => nodeId === node?.id);
    return [name, result?.status === 'completed' ? result.output : []] as const;
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

it('callers of imported workflows get what n8n gave them', async () => {
  const cases = parseCalledCases(readCaseFile('called.jsonl'));
  const found: object[] = [];
  for (let at = 0; at < cases.length; at += CONCURRENT_RUNS)
    found.push(...(await Promise.all(cases.slice(at, at + CONCURRENT_RUNS).map(callCase))));
  expect(found).toEqual(cases.map(({ called, result }) => ({ name: called.name, result, error: null, tasks: [] })));
});

it.each(['workflows.jsonl', 'errors-and-dates.jsonl', 'http.jsonl'])(
  'imported workflows of %s give at their ends what n8n gave',
  async (name) => {
    const cases = readWorkflowCases(name);
    const found: object[] = [];
    for (let at = 0; at < cases.length; at += CONCURRENT_RUNS)
      found.push(...(await Promise.all(cases.slice(at, at + CONCURRENT_RUNS).map(runCase))));
    expect(found).toEqual(
      cases.map(({ workflow: { name }, items, failure }) => ({ name, isFailed: failure !== undefined, items })),
    );
  },
);
