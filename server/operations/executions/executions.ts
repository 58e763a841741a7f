import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Execution, ExecutionGetQuery, NodeResult, ResumeRequest } from '@/contract/execution';
import { ExecutionLogs } from '@/contract/execution-log';
import { isFinal } from '@/contract/states';
import { text } from '@/contract/text';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect } from '@/server/api/operation-parts';
import { conflict, forbidden, invalidField, notFound } from '@/server/errors/problem';
import { transaction } from '@/server/db/transaction';
import { record } from '@/server/audit/record';
import type { Caller } from '@/server/access/caller';
import { isAdministrator, shownTo } from '@/server/access/links';
import type { Db } from '@/server/db/client';
import { dataOf } from './decision-data';
import { approvalAt } from '@/server/engine/attempt/approvals';
import { readNodeResult } from '@/server/engine/report/node-report';
import { readLogs } from '@/server/engine/report/log-report';
import { cancel as requestCancel, decide } from '@/server/engine/queue/requests';
import { listExecutions } from './list';
import { readRun } from './read-run';
import { waitForEnd } from './waiting';

const tag = 'Executions';
const Id = z.strictObject({ id: z.string() });

const get = operation({
  id: 'executions.get',
  method: 'GET',
  path: '/api/executions/{id}',
  summary: 'Read an execution with its node results',
  description:
    'Of inputs and outputs of nodes 16 MiB each are shown, the smallest first. What is left out is named in `omitted`; ' +
    '`/api/executions/{id}/node-results/{nodeId}` has it. With `waitSeconds` the answer waits for the end of the ' +
    'execution (long poll) and is what there is when the time is over; when too many callers wait, it comes at once.',
  tag,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: Id,
  query: ExecutionGetQuery,
  reply: jsonReply(Execution),
  async run(call, { params: { id }, query: { waitSeconds } }) {
    const execution = await readRun(call.caller, id);
    if (waitSeconds === 0 || isFinal(execution.status)) return execution;
    const waiting = waitForEnd(call, waitSeconds);
    if (!waiting) return execution;
    waiting.follow(id);
    await waiting.wait(false);
    return readRun(call.caller, id);
  },
});

const nodeResult = operation({
  id: 'executions.nodeResult',
  method: 'GET',
  path: '/api/executions/{id}/node-results/{nodeId}',
  summary: 'Read the result of one node',
  description:
    'With all that came in and out, also where it is too large for the execution as a whole. In rounds of a loop the ' +
    'node is called `loop[3].inner`.',
  tag,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: Id.extend({ nodeId: z.string() }),
  reply: jsonReply(NodeResult),
  async run({ caller }, { params: { id, nodeId } }) {
    const result = await readNodeResult(caller.workspaceId, id, nodeId);
    if (!result) throw notFound('The node’s result');
    return shownTo(caller, result);
  },
});

const cancel = operation({
  id: 'executions.cancel',
  method: 'POST',
  path: '/api/executions/{id}/cancel',
  summary: 'Cancel an execution',
  description: 'It fails with the code CANCELLED; no further node starts. A finished execution answers 409.',
  tag,
  access: memberAccess('execution', 'cancel'),
  // A signal for a worker: the answer can show the outcome only after the signal is committed.
  effect: submitEffect('resource_access'),
  params: Id,
  reply: jsonReply(Execution),
  async run(call, { params: { id } }) {
    await readRun(call.caller, id);
    await storeSignal(call, async (db) => {
      const cancelled = await requestCancel(db, [id]);
      if (cancelled.length === 0) throw conflict('The execution has already ended.');
    });
    return outcome(call, id, ({ status }) => isFinal(status));
  },
});

const resume = operation({
  id: 'executions.resume',
  method: 'POST',
  path: '/api/executions/{id}/resume',
  summary: 'Decide an approval',
  description:
    'Of several decisions exactly one counts; the others, and decisions without a pending approval, answer 409. `data` has ' +
    'the values of the fields that the approval asks for.',
  tag,
  access: memberAccess('execution', 'resume'),
  effect: submitEffect('resource_access'),
  params: Id,
  body: jsonBody(ResumeRequest),
  reply: jsonReply(Execution),
  async run(call, { params: { id }, body: { nodeId, decision, comment = null, data: given } }) {
    const { workspaceId, email } = call.caller;
    call.note({ metadata: { nodeId, decision } });
    const approval = await approvalAt(call.db, workspaceId, id, nodeId);
    requireAssignee(call.caller, approval?.assignees);
    // Before the transaction, because an evaluator process may take a moment.
    const data = approval?.isOpen ? await dataOf(approval, decision, given) : undefined;
    await storeSignal(call, async (db) => {
      const request = { workspaceId, executionId: id, nodeId, decision, comment, decidedBy: email, data };
      const answer = await decide(db, request);
      if (answer === 'unknown-execution') throw notFound('The execution');
      if (answer === 'unknown-node') throw invalidField('nodeId', 'is not a node of this execution');
      if (answer === 'not-waiting') throw conflict('The node is not waiting for a decision.');
    });
    return outcome(call, id, (execution) => statusOf(execution, nodeId) !== 'paused');
  },
});

const statusOf = ({ nodeResults }: Execution, nodeId: string) =>
  nodeResults.find((result) => result.nodeId === nodeId)?.status;

/** An approval with assignees can be decided by them, and by admins and owners of the workspace. */
function requireAssignee(caller: Caller, assignees: string[] = []): void {
  if (assignees.length === 0 || isAdministrator(caller)) return;
  const isTheirs = assignees.some((one) => one.toLowerCase() === caller.email);
  if (!isTheirs) throw forbidden('This decision is for its assignees, admins and owners.');
}

/** Stores a signal and its audit entry, in the call's transaction if there is one. */
async function storeSignal(call: SignedInCall, store: (db: Db) => Promise<void>): Promise<void> {
  const storeAll = async (db: Db) => {
    await store(db);
    await record(db, [call.auditEntry()]);
  };
  await (call.inTransaction ? storeAll(call.db) : transaction(true, storeAll));
}

/** How long an answer waits for a worker to handle a signal, in milliseconds. A running worker takes a few. */
const SIGNAL_TIMEOUT_MS = 2000;
const LOOK_MS = 20;

/** The execution after the signal has been handled. Inside a transaction no worker has received it yet. */
async function outcome(call: SignedInCall, id: string, isDone: (execution: Execution) => boolean): Promise<Execution> {
  for (const deadline = Date.now() + SIGNAL_TIMEOUT_MS; ; await pause(LOOK_MS)) {
    const execution = await readRun(call.caller, id);
    if (call.inTransaction || isDone(execution) || Date.now() >= deadline) return execution;
  }
}

const logs = operation({
  id: 'executions.logs',
  method: 'GET',
  path: '/api/executions/{id}/logs',
  summary: 'Read the log of an execution',
  description: 'Oldest first. With `nodeId` only what belongs to that node.',
  tag,
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  params: Id,
  query: z.strictObject({ nodeId: text(1, 300).optional().describe('Only the lines of this node') }),
  reply: jsonReply(ExecutionLogs),
  async run({ caller }, { params: { id }, query: { nodeId } }) {
    const entries = await readLogs(caller.workspaceId, id, nodeId);
    if (!entries) throw notFound('The execution');
    return { logs: shownTo(caller, entries) };
  },
});

export const executions = [listExecutions, get, nodeResult, cancel, resume, logs];
