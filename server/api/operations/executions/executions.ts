import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ExecutionResponse, GetExecutionQuery, NodeResult } from '@/contract/execution';
import { ResumeExecutionRequest } from '@/contract/approval';
import { ExecutionLogs } from '@/contract/execution-log';
import { isFinalStatus } from '@/contract/states';
import { boundedText } from '@/contract/text';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect } from '@/server/api/operation/operation-parts';
import {
  conflictProblem,
  forbiddenProblem,
  invalidFieldProblem,
  notFoundProblem,
} from '@/server/platform/errors/problem';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { isWorkspaceAdministrator, visibleValue } from '@/server/people/access/links';
import type { DatabaseClient } from '@/server/platform/db/client';
import { checkDecisionData } from './decision-data';
import { findApproval } from '@/server/engine/attempt/approvals';
import { readNodeResult } from '@/server/engine/report/node-report';
import { readExecutionLog } from '@/server/engine/report/log-report';
import { requestCancellation as requestCancel, recordDecision } from '@/server/engine/queue/requests';
import { deleteExecutionOperation } from './delete-execution';
import { listExecutionsOperation } from './list-executions';
import { requireVisibleRun } from './read-run';
import { waitForRunEnd } from './waiting';

const EXECUTION_TAG = 'Executions';
const ExecutionParams = z.strictObject({ id: z.string() });

const getExecutionOperation = defineOperation({
  id: 'executions.get',
  method: 'GET',
  path: '/api/executions/{id}',
  summary: 'Read an execution with its node results',
  description:
    'Of inputs and outputs of nodes 16 MiB each are shown, the smallest first. What is left out is named in `omitted`; ' +
    '`/api/executions/{id}/node-results/{nodeId}` has it. With `waitSeconds` the answer waits for the end of the ' +
    'execution (long poll) and is what there is when the time is over; when too many callers wait, it comes at once.',
  tag: EXECUTION_TAG,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: ExecutionParams,
  query: GetExecutionQuery,
  reply: jsonReply(ExecutionResponse),
  async run(call, { params: { id }, query: { waitSeconds } }) {
    const execution = await requireVisibleRun(call.caller, id);
    if (waitSeconds === 0 || isFinalStatus(execution.status)) return execution;
    const waiting = waitForRunEnd(call, waitSeconds);
    if (!waiting) return execution;
    waiting.assignRun(id);
    await waiting.wait(false);
    return requireVisibleRun(call.caller, id);
  },
});

const getNodeResultOperation = defineOperation({
  id: 'executions.nodeResult',
  method: 'GET',
  path: '/api/executions/{id}/node-results/{nodeId}',
  summary: 'Read the result of one node',
  description:
    'With all that came in and out, also where it is too large for the execution as a whole. In rounds of a loop the ' +
    'node is called `loop[3].inner`.',
  tag: EXECUTION_TAG,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: ExecutionParams.extend({ nodeId: z.string() }),
  reply: jsonReply(NodeResult),
  async run({ caller }, { params: { id, nodeId } }) {
    const result = await readNodeResult(caller.workspaceId, id, nodeId);
    if (!result) throw notFoundProblem('The node’s result');
    return visibleValue(caller, result);
  },
});

const cancelExecutionOperation = defineOperation({
  id: 'executions.cancel',
  method: 'POST',
  path: '/api/executions/{id}/cancel',
  summary: 'Cancel an execution',
  description: 'It fails with the code CANCELLED; no further node starts. A finished execution answers 409.',
  tag: EXECUTION_TAG,
  access: memberAccess('execution', 'cancel'),
  // This sends a signal to a worker, and the response can show its effect only after the signal is committed.
  effect: submitEffect('resource_access'),
  params: ExecutionParams,
  reply: jsonReply(ExecutionResponse),
  async run(call, { params: { id } }) {
    await requireVisibleRun(call.caller, id);
    await storeRunSignal(call, async (db) => {
      const cancelled = await requestCancel(db, [id]);
      if (cancelled.length === 0) throw conflictProblem('The execution has already ended.');
    });
    return awaitSignalHandling(call, id, ({ status }) => isFinalStatus(status));
  },
});

const resumeExecutionOperation = defineOperation({
  id: 'executions.resume',
  method: 'POST',
  path: '/api/executions/{id}/resume',
  summary: 'Decide an approval',
  description:
    'Of several decisions exactly one counts; the others, and decisions without a pending approval, answer 409. `data` has ' +
    'the values of the fields that the approval asks for.',
  tag: EXECUTION_TAG,
  access: memberAccess('execution', 'resume'),
  effect: submitEffect('resource_access'),
  params: ExecutionParams,
  body: jsonBody(ResumeExecutionRequest),
  reply: jsonReply(ExecutionResponse),
  async run(call, { params: { id }, body: { nodeId, decision, comment = null, data: given } }) {
    const { workspaceId, email } = call.caller;
    call.note({ metadata: { nodeId, decision } });
    const approval = await findApproval(call.db, workspaceId, id, nodeId);
    requireApprovalAssignee(call.caller, approval?.assignees);
    // This runs before the transaction, because an evaluator process may take a moment.
    const data = approval?.isOpen ? await checkDecisionData(approval, decision, given) : undefined;
    await storeRunSignal(call, async (db) => {
      const request = { workspaceId, executionId: id, nodeId, decision, comment, decidedBy: email, data };
      const answer = await recordDecision(db, request);
      if (answer === 'unknown-execution') throw notFoundProblem('The execution');
      if (answer === 'unknown-node') throw invalidFieldProblem('nodeId', 'is not a node of this execution');
      if (answer === 'not-waiting') throw conflictProblem('The node is not waiting for a decision.');
    });
    return awaitSignalHandling(call, id, (execution) => nodeResultStatus(execution, nodeId) !== 'paused');
  },
});

const nodeResultStatus = ({ nodeResults }: ExecutionResponse, nodeId: string) =>
  nodeResults.find((result) => result.nodeId === nodeId)?.status;

/** An approval with assignees can be decided by them, and by admins and owners of the workspace. */
function requireApprovalAssignee(caller: WorkspaceCaller, assignees: string[] = []): void {
  if (assignees.length === 0 || isWorkspaceAdministrator(caller)) return;
  const isTheirs = assignees.some((one) => one.toLowerCase() === caller.email);
  if (!isTheirs) throw forbiddenProblem('This decision is for its assignees, admins and owners.');
}

/** Stores a signal and its audit entry, in the call's transaction if there is one. */
async function storeRunSignal(call: SignedInCall, store: (db: DatabaseClient) => Promise<void>): Promise<void> {
  const storeAll = async (db: DatabaseClient) => {
    await store(db);
    await appendAuditEntries(db, [call.auditEntry()]);
  };
  await (call.inTransaction ? storeAll(call.db) : runInDatabaseTransaction(true, storeAll));
}

/** How long a response waits for a worker to handle a signal. A running worker takes a few milliseconds. */
const SIGNAL_TIMEOUT_MS = 2000;
const SIGNAL_POLL_INTERVAL_MS = 20;

/** Returns the execution after a worker has handled the signal. Inside a transaction no worker has received it yet. */
async function awaitSignalHandling(
  call: SignedInCall,
  id: string,
  isDone: (execution: ExecutionResponse) => boolean,
): Promise<ExecutionResponse> {
  for (const deadline = Date.now() + SIGNAL_TIMEOUT_MS; ; await pause(SIGNAL_POLL_INTERVAL_MS)) {
    const execution = await requireVisibleRun(call.caller, id);
    if (call.inTransaction || isDone(execution) || Date.now() >= deadline) return execution;
  }
}

const readLogsOperation = defineOperation({
  id: 'executions.logs',
  method: 'GET',
  path: '/api/executions/{id}/logs',
  summary: 'Read the log of an execution',
  description: 'Oldest first. With `nodeId` only what belongs to that node.',
  tag: EXECUTION_TAG,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: ExecutionParams,
  query: z.strictObject({ nodeId: boundedText(1, 300).optional().describe('Only the lines of this node') }),
  reply: jsonReply(ExecutionLogs),
  async run({ caller }, { params: { id }, query: { nodeId } }) {
    const entries = await readExecutionLog(caller.workspaceId, id, nodeId);
    if (!entries) throw notFoundProblem('The execution');
    return { logs: visibleValue(caller, entries) };
  },
});

export const executionOperations = [
  listExecutionsOperation,
  getExecutionOperation,
  getNodeResultOperation,
  cancelExecutionOperation,
  resumeExecutionOperation,
  readLogsOperation,
  deleteExecutionOperation,
];
