import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ExecutionResponse } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import {
  ListReplaysResponse,
  ReplayRunsRequest,
  WorkflowTestResult,
  RunTestRequest,
  type ReplayNodeDifference,
  ExecutionReplay,
} from '@/contract/workflows/workflow-test';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect } from '@/server/api/operation/operation-parts';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { submitTestRun } from '@/server/engine/queue/test-run';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { findWorkflow, toWorkflowResponse, requireReadyToRun } from '../workflow-rows';
import { readLastSavedVersion } from '../drafts/version-rows';
import { startNodeProblem } from '@/server/workflow/nodes/flow/start';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { writeJsonInTurns } from '@/server/evaluation/expressions/write-json';
import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';
import { findVisibleRun } from '../../executions/read-run';
import { waitForRunEnd } from '../../executions/waiting';
import { recordMocks } from './record';
import { findTestRow, toTestResponse } from './test-rows';
import { findNodeDifferences, findTestFailures } from './verdict';

const TEST_RUN_TAG = 'Workflow tests';
const ReplayParams = z.strictObject({ id: z.string() });
const TestRunParams = ReplayParams.extend({ testId: z.string() });

const REPLAY_POLL_INTERVAL_MS = 250;
/** Maximum characters of JSON of the recorded results of a run. Larger runs are not replayed. */
const MAX_REPLAY_MOCKS_LENGTH = 1024 * 1024;

/** The version to test: the last saved one, or the published one. */
async function readTestedVersion(
  db: DatabaseClient,
  workspaceId: string,
  id: string,
  useLatest: boolean,
  startNodeId: string | null = null,
) {
  const workflow = await findWorkflow(db, workspaceId, id);
  const tested = useLatest ? await readLastSavedVersion(db, workflow) : toWorkflowResponse(workflow);
  await requireReadyToRun(db, workspaceId, tested.definition, { untilNodeId: null, startNodeId });
  return tested;
}

/** Compares a run with what its test expects, and keeps the result once the run has ended. */
async function compareAndStoreResult(
  db: DatabaseClient,
  workspaceId: string,
  row: Awaited<ReturnType<typeof findTestRow>>,
  execution: ExecutionResponse,
) {
  const { id: testId, expectations } = toTestResponse(row);
  const isOver = isFinalStatus(execution.status);
  const failures = isOver ? await findTestFailures(execution, expectations) : [];
  const result: WorkflowTestResult = {
    testId,
    executionId: execution.id,
    version: execution.workflowVersion,
    status: isOver ? (failures.length === 0 ? 'passed' : 'failed') : 'running',
    failures,
    completedAt: execution.completedAt ?? null,
  };
  // The result is not stored for a test that was changed since then, because the change has removed its result.
  if (isOver) {
    const pieces: Buffer[] = [];
    for await (const piece of writeJsonInTurns(result)) pieces.push(piece);
    const text = await decodeUtf8InTurns(Buffer.concat(pieces));
    await db.$executeRaw`UPDATE workflow_test SET last_result = ${text}::json WHERE id = ${testId} AND updated_at = ${row.updatedAt}`;
  }
  return result;
}

const runTestOperation = defineOperation({
  id: 'workflowTests.run',
  method: 'POST',
  path: '/api/workflows/{id}/tests/{testId}/run',
  summary: 'Run a test',
  description:
    'Waits for the result; if it takes longer than `waitSeconds` the status is `running`, and ' +
    '`GET …/tests/{testId}/runs/{executionId}` has the result. The run is an execution with the trigger `test`: it calls ' +
    'nothing outside, starts no error workflow, sends no alert and is not part of the statistics.',
  tag: TEST_RUN_TAG,
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: TestRunParams,
  body: jsonBody(RunTestRequest),
  reply: jsonReply(WorkflowTestResult),
  async run(call, { params: { id, testId }, body: { useLatest, waitSeconds } }) {
    const { db, caller } = call;
    const row = await findTestRow(db, caller.workspaceId, id, testId);
    const { input, mocks, startNodeId } = toTestResponse(row);
    const { version } = await readTestedVersion(db, caller.workspaceId, id, useLatest, startNodeId);
    call.note({ resourceId: id, metadata: { test: testId } });
    const submission = { workflowId: id, workflowVersion: version, startNodeId, input, mocks, replayOf: null };
    const executionId = await submitTestRun(db, {
      ...submission,
      workspaceId: caller.workspaceId,
      createdBy: caller.userId,
    });
    // A run that a transaction stores starts, and can be read, only after the call.
    if (call.inTransaction)
      return { testId, executionId, version, status: 'running' as const, failures: [], completedAt: null };
    await waitForTestRun(call, executionId, waitSeconds);
    const execution = await findVisibleRun(caller, executionId);
    if (!execution) throw notFoundProblem('The execution');
    return compareAndStoreResult(db, caller.workspaceId, row, execution);
  },
});

/** Waits for one run, unless too many callers wait. */
async function waitForTestRun(call: SignedInCall, executionId: string, seconds: number): Promise<void> {
  const waiting = seconds === 0 ? undefined : waitForRunEnd(call, seconds);
  if (!waiting) return;
  waiting.assignRun(executionId);
  await waiting.wait(false);
}

const getTestResultOperation = defineOperation({
  id: 'workflowTests.result',
  method: 'GET',
  path: '/api/workflows/{id}/tests/{testId}/runs/{executionId}',
  summary: 'Read the result of a run of a test',
  description: 'Compared with what the test expects now.',
  tag: TEST_RUN_TAG,
  access: memberAccess('workflow', 'execute'),
  effect: readEffect(),
  params: TestRunParams.extend({ executionId: z.string() }),
  reply: jsonReply(WorkflowTestResult),
  async run({ db, caller }, { params: { id, testId, executionId } }) {
    const row = await findTestRow(db, caller.workspaceId, id, testId);
    const execution = await findVisibleRun(caller, executionId);
    if (!execution || execution.workflowId !== id || execution.trigger !== 'test')
      throw notFoundProblem('The execution');
    return compareAndStoreResult(db, caller.workspaceId, row, execution);
  },
});

const replayRunsOperation = defineOperation({
  id: 'workflowTests.replay',
  method: 'POST',
  path: '/api/workflows/{id}/replays',
  summary: 'Replay recorded runs on the changed workflow',
  description:
    'Runs the workflow with the inputs of its latest finished runs; nodes that act outside give what they gave then. ' +
    'Answers which nodes differ. Left out are runs whose data was removed, runs that end at one node, runs whose start node is gone, and those whose ' +
    'recorded outputs are larger than 1 MiB. Waits for the ends.',
  tag: TEST_RUN_TAG,
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: ReplayParams,
  body: jsonBody(ReplayRunsRequest),
  reply: jsonReply(ListReplaysResponse),
  async run(call, { params: { id }, body: { limit, useLatest, waitSeconds } }) {
    const { db, caller, note } = call;
    const { workspaceId, userId: createdBy } = caller;
    const { version, definition } = await readTestedVersion(db, workspaceId, id, useLatest);
    const finished = { status: { in: ['completed', 'failed'] }, trigger: { not: 'test' } };
    const where = { workspaceId, workflowId: id, untilNodeId: null, dataRemovedAt: null, ...finished };
    const recorded = await db.execution.findMany({
      where: { AND: [where, visibleRowsFilter(caller, 'execution')] },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      select: { id: true },
    });
    note({ resourceId: id, metadata: { replays: recorded.length } });
    const replays: { executionId: string; replayId: string }[] = [];
    for (const { id: executionId } of recorded) {
      const before = await findVisibleRun(caller, executionId);
      // A run cannot be replayed on a version without its start node.
      if (!before || startNodeProblem(definition, before.startNodeId) !== null) continue;
      const mocks = recordMocks(await readRunDefinition(before), before);
      if (JSON.stringify(mocks).length > MAX_REPLAY_MOCKS_LENGTH) continue;
      const submission = { workspaceId, workflowId: id, workflowVersion: version, createdBy };
      const { input, startNodeId } = before;
      const data = { startNodeId, input, mocks, replayOf: executionId };
      replays.push({ executionId, replayId: await submitTestRun(db, { ...submission, ...data }) });
    }
    // The runs that a transaction stores start only after the call.
    const ids = replays.map(({ replayId }) => replayId);
    if (!call.inTransaction) await waitForReplays(workspaceId, ids, waitSeconds);
    const data: ExecutionReplay[] = [];
    // The comparisons run one after another, because each reads two executions with their outputs.
    for (const one of replays) data.push(await compareReplay(caller, one));
    return { data };
  },
});

const compareReplayOperation = defineOperation({
  id: 'workflowTests.compare',
  method: 'GET',
  path: '/api/workflows/{id}/replays/{executionId}',
  summary: 'Compare a replay with the recorded run',
  description: 'Names the nodes that differ.',
  tag: TEST_RUN_TAG,
  access: memberAccess('workflow', 'execute'),
  effect: readEffect(),
  params: ReplayParams.extend({ executionId: z.string() }),
  reply: jsonReply(ExecutionReplay),
  async run({ db, caller }, { params: { id, executionId: replayId } }) {
    const { workspaceId } = caller;
    const where = { id: replayId, workspaceId, workflowId: id, trigger: 'test' };
    const row = await db.execution.findFirst({ where, select: { rerunOf: true } });
    if (!row?.rerunOf) throw notFoundProblem('The replay');
    return compareReplay(caller, { executionId: row.rerunOf, replayId });
  },
});

/** The definition that a run ran. */
async function readRunDefinition({
  workflowId,
  workflowVersion: version,
}: ExecutionResponse): Promise<WorkflowDefinition> {
  const where = { workflowId_version: { workflowId, version } };
  const row = await prismaClient().workflowVersion.findUniqueOrThrow({ where, select: { definition: true } });
  return row.definition as WorkflowDefinition;
}

/** Waits until all runs have ended, for a limited time. */
async function waitForReplays(workspaceId: string, ids: string[], seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  const where = { workspaceId, id: { in: ids }, completedAt: null };
  while (Date.now() < deadline && (await prismaClient().execution.count({ where })) > 0)
    await pause(REPLAY_POLL_INTERVAL_MS);
}

/** A longer output is left out of a comparison. */
const MAX_COMPARED_LENGTH = 16 * 1024;

const visibleComparisonSide = ({ status, output }: ReplayNodeDifference['before']): ReplayNodeDifference['before'] =>
  output === undefined || isLargeJson(output) || JSON.stringify(output).length > MAX_COMPARED_LENGTH
    ? { status }
    : { status, output };

async function compareReplay(
  caller: WorkspaceCaller,
  ids: Pick<ExecutionReplay, 'executionId' | 'replayId'>,
): Promise<ExecutionReplay> {
  const before = await findVisibleRun(caller, ids.executionId);
  const after = await findVisibleRun(caller, ids.replayId);
  if (!before || !after || !isFinalStatus(after.status)) return { ...ids, status: 'running', differences: [] };
  const differences = (await findNodeDifferences(before, after)).map((one) => ({
    ...one,
    before: visibleComparisonSide(one.before),
    after: visibleComparisonSide(one.after),
  }));
  return { ...ids, status: differences.length === 0 ? 'same' : 'different', differences };
}

export const testRunOperations = [
  runTestOperation,
  getTestResultOperation,
  replayRunsOperation,
  compareReplayOperation,
];
