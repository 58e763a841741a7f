import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Execution } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflows/workflow';
import {
  ReplayList,
  ReplayRequest,
  TestResult,
  TestRunRequest,
  type NodeDifference,
  Replay,
} from '@/contract/workflows/workflow-test';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect } from '@/server/api/operation-parts';
import type { Caller } from '@/server/access/caller';
import { visibleTo } from '@/server/access/filter';
import { prisma, type Db } from '@/server/db/client';
import { submitTestRun } from '@/server/engine/queue/test-run';
import { notFound } from '@/server/errors/problem';
import { findWorkflow, presentWorkflow, requireReady } from '../content';
import { lastSaved } from '../drafts/version-rows';
import { findRun } from '../../executions/read-run';
import { waitForEnd } from '../../executions/waiting';
import { recordedMocks } from './record';
import { findTest, presentTest } from './rows';
import { differencesOf, failuresOf } from './verdict';

const tag = 'Workflow tests';
const OfWorkflow = z.strictObject({ id: z.string() });
const OfTest = OfWorkflow.extend({ testId: z.string() });

const POLL_MS = 250;
/** Characters of JSON of what the nodes of a replayed run gave; larger runs are left out. */
const MAX_REPLAYED = 1024 * 1024;

/** The version to test: the last saved one, or the published one. */
async function content(db: Db, workspaceId: string, id: string, useLatest: boolean) {
  const workflow = await findWorkflow(db, workspaceId, id);
  const tested = useLatest ? await lastSaved(db, workflow) : presentWorkflow(workflow);
  await requireReady(db, workspaceId, tested.definition);
  return tested;
}

/** Compares a run with what its test expects, and keeps the result once the run has ended. */
async function resultOf(db: Db, workspaceId: string, row: Awaited<ReturnType<typeof findTest>>, execution: Execution) {
  const { id: testId, expectations } = presentTest(row);
  const isOver = isFinal(execution.status);
  const failures = isOver ? failuresOf(execution, expectations) : [];
  const result: TestResult = {
    testId,
    executionId: execution.id,
    version: execution.workflowVersion,
    status: isOver ? (failures.length === 0 ? 'passed' : 'failed') : 'running',
    failures,
    completedAt: execution.completedAt ?? null,
  };
  // A change of the test since then has removed its result.
  if (isOver)
    await db.workflowTest.updateMany({
      where: { id: testId, updatedAt: row.updatedAt },
      data: { lastResult: JSON.parse(JSON.stringify(result)) as object },
    });
  return result;
}

const run = operation({
  id: 'workflowTests.run',
  method: 'POST',
  path: '/api/workflows/{id}/tests/{testId}/run',
  summary: 'Run a test',
  description:
    'Waits for the result; if it takes longer than `waitSeconds` the status is `running`, and ' +
    '`GET …/tests/{testId}/runs/{executionId}` has the result. The run is an execution with the trigger `test`: it calls ' +
    'nothing outside, starts no error workflow, sends no alert and is not part of the statistics.',
  tag,
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: OfTest,
  body: jsonBody(TestRunRequest),
  reply: jsonReply(TestResult),
  async run(call, { params: { id, testId }, body: { useLatest, waitSeconds } }) {
    const { db, caller } = call;
    const row = await findTest(db, caller.workspaceId, id, testId);
    const { input, mocks } = presentTest(row);
    const { version } = await content(db, caller.workspaceId, id, useLatest);
    call.note({ resourceId: id, metadata: { test: testId } });
    const submission = { workflowId: id, workflowVersion: version, input, mocks, replayOf: null };
    const executionId = await submitTestRun(db, {
      ...submission,
      workspaceId: caller.workspaceId,
      createdBy: caller.userId,
    });
    // A run that a transaction stores starts, and can be read, only after the call.
    if (call.inTransaction)
      return { testId, executionId, version, status: 'running' as const, failures: [], completedAt: null };
    await untilEnded(call, executionId, waitSeconds);
    const execution = await findRun(caller, executionId);
    if (!execution) throw notFound('The execution');
    return resultOf(db, caller.workspaceId, row, execution);
  },
});

/** Waits for one run, unless too many callers wait. */
async function untilEnded(call: SignedInCall, executionId: string, seconds: number): Promise<void> {
  const waiting = seconds === 0 ? undefined : waitForEnd(call, seconds);
  if (!waiting) return;
  waiting.follow(executionId);
  await waiting.wait(false);
}

const result = operation({
  id: 'workflowTests.result',
  method: 'GET',
  path: '/api/workflows/{id}/tests/{testId}/runs/{executionId}',
  summary: 'Read the result of a run of a test',
  description: 'Compared with what the test expects now.',
  tag,
  access: memberAccess('workflow', 'execute'),
  effect: readEffect(),
  params: OfTest.extend({ executionId: z.string() }),
  reply: jsonReply(TestResult),
  async run({ db, caller }, { params: { id, testId, executionId } }) {
    const row = await findTest(db, caller.workspaceId, id, testId);
    const execution = await findRun(caller, executionId);
    if (!execution || execution.workflowId !== id || execution.trigger !== 'test') throw notFound('The execution');
    return resultOf(db, caller.workspaceId, row, execution);
  },
});

const replay = operation({
  id: 'workflowTests.replay',
  method: 'POST',
  path: '/api/workflows/{id}/replays',
  summary: 'Replay recorded runs on the changed workflow',
  description:
    'Runs the workflow with the inputs of its latest finished runs; nodes that act outside give what they gave then. ' +
    'Answers which nodes differ. Left out are runs whose data was removed, runs that end at one node, and those whose ' +
    'recorded outputs are larger than 1 MiB. Waits for the ends.',
  tag,
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: OfWorkflow,
  body: jsonBody(ReplayRequest),
  reply: jsonReply(ReplayList),
  async run(call, { params: { id }, body: { limit, useLatest, waitSeconds } }) {
    const { db, caller, note } = call;
    const { workspaceId, userId: createdBy } = caller;
    const { version } = await content(db, workspaceId, id, useLatest);
    const finished = { status: { in: ['completed', 'failed'] }, trigger: { not: 'test' } };
    const where = { workspaceId, workflowId: id, untilNodeId: null, dataRemovedAt: null, ...finished };
    const recorded = await db.execution.findMany({
      where: { AND: [where, visibleTo(caller, 'execution')] },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      select: { id: true },
    });
    note({ resourceId: id, metadata: { replays: recorded.length } });
    const replays: { executionId: string; replayId: string }[] = [];
    for (const { id: executionId } of recorded) {
      const before = await findRun(caller, executionId);
      if (!before) continue;
      const mocks = recordedMocks(await definitionOf(before), before);
      if (JSON.stringify(mocks).length > MAX_REPLAYED) continue;
      const submission = { workspaceId, workflowId: id, workflowVersion: version, createdBy };
      const data = { input: before.input, mocks, replayOf: executionId };
      replays.push({ executionId, replayId: await submitTestRun(db, { ...submission, ...data }) });
    }
    // The runs that a transaction stores start only after the call.
    const ids = replays.map(({ replayId }) => replayId);
    if (!call.inTransaction) await untilAllEnded(workspaceId, ids, waitSeconds);
    const data: Replay[] = [];
    // One after another: each reads two executions with their outputs.
    for (const one of replays) data.push(await compared(caller, one));
    return { data };
  },
});

const comparison = operation({
  id: 'workflowTests.compare',
  method: 'GET',
  path: '/api/workflows/{id}/replays/{executionId}',
  summary: 'Compare a replay with the recorded run',
  description: 'Names the nodes that differ.',
  tag,
  access: memberAccess('workflow', 'execute'),
  effect: readEffect(),
  params: OfWorkflow.extend({ executionId: z.string() }),
  reply: jsonReply(Replay),
  async run({ db, caller }, { params: { id, executionId: replayId } }) {
    const { workspaceId } = caller;
    const where = { id: replayId, workspaceId, workflowId: id, trigger: 'test' };
    const row = await db.execution.findFirst({ where, select: { rerunOf: true } });
    if (!row?.rerunOf) throw notFound('The replay');
    return compared(caller, { executionId: row.rerunOf, replayId });
  },
});

/** The definition that a run ran. */
async function definitionOf({ workflowId, workflowVersion: version }: Execution): Promise<Definition> {
  const where = { workflowId_version: { workflowId, version } };
  const row = await prisma().workflowVersion.findUniqueOrThrow({ where, select: { definition: true } });
  return row.definition as Definition;
}

/** Waits until all runs have ended, for a limited time. */
async function untilAllEnded(workspaceId: string, ids: string[], seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  const where = { workspaceId, id: { in: ids }, completedAt: null };
  while (Date.now() < deadline && (await prisma().execution.count({ where })) > 0) await pause(POLL_MS);
}

/** What is longer is left out of a comparison. */
const MAX_SHOWN = 16 * 1024;

const shownSide = ({ status, output }: NodeDifference['before']): NodeDifference['before'] =>
  output === undefined || JSON.stringify(output).length > MAX_SHOWN ? { status } : { status, output };

async function compared(caller: Caller, ids: Pick<Replay, 'executionId' | 'replayId'>): Promise<Replay> {
  const before = await findRun(caller, ids.executionId);
  const after = await findRun(caller, ids.replayId);
  if (!before || !after || !isFinal(after.status)) return { ...ids, status: 'running', differences: [] };
  const differences = differencesOf(before, after).map((one) => ({
    ...one,
    before: shownSide(one.before),
    after: shownSide(one.after),
  }));
  return { ...ids, status: differences.length === 0 ? 'same' : 'different', differences };
}

export const workflowTestRuns = [run, result, replay, comparison];
