import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  Execution,
  ExecutionLogs,
  ExecutionPage,
  ExecutionQuery,
  NodeResult,
  ResumeRequest,
  type ExecutionStatus,
  type RunError,
  type Trigger,
} from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { text } from '@/contract/text';
import type { Execution as Row } from '@/generated/prisma/client';
import { operation, type SignedInCall } from '../api/operation';
import { conflict, forbidden, invalidField, notFound } from '../api/problem';
import { transaction } from '../api/steps/transaction';
import { record } from '../auth/audit';
import type { Caller } from '../auth/caller';
import { visibleTo } from '../auth/visible';
import type { Db } from '../db/client';
import { approvalAt } from '../engine/approvals';
import { readNodeResult } from '../engine/node-report';
import { readExecution, readLogs } from '../engine/report';
import { cancel as requestCancel, decide } from '../engine/requests';
import { countExecutions } from '../engine/tally';
import { workflowsCalled } from './workflow-content';

const tag = 'Executions';
const Id = z.strictObject({ id: z.string() });

type Listed = Omit<Row, 'input' | 'output'> & { workflow: { name: string } };

const summary = (row: Listed) => ({
  id: row.id,
  workflowId: row.workflowId,
  workflowName: row.workflow.name,
  workflowVersion: row.workflowVersion,
  status: row.status as ExecutionStatus,
  trigger: row.trigger as Trigger,
  startedAt: row.startedAt.toISOString(),
  completedAt: row.completedAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  rerunOf: row.rerunOf,
  parentExecutionId: row.parentId,
  untilNodeId: row.untilNodeId,
  error: row.error as RunError | null,
});

async function read(workspaceId: string, id: string): Promise<Execution> {
  const execution = await readExecution(workspaceId, id);
  if (!execution) throw notFound('The execution');
  return execution;
}

const list = operation({
  id: 'executions.list',
  method: 'GET',
  path: '/api/executions',
  summary: 'List executions',
  description: 'Newest first, without input, output and node results. `from` and `to` bound `createdAt`.',
  tag,
  access: { resource: 'execution', action: 'read' },
  isFiltered: true,
  effect: 'read',
  query: ExecutionQuery,
  output: ExecutionPage,
  async run({ db, caller }, { query: { limit, offset, from, to, search, ...filter } }) {
    const { workspaceId } = caller;
    const { workflowId, status, trigger } = filter;
    const isId = search?.startsWith('exec_') === true;
    const workflowIds =
      search && !isId ? await workflowsCalled(db, workspaceId, search, workflowId) : workflowId && [workflowId];
    const asked = {
      workspaceId,
      status,
      trigger,
      ...(isId ? { id: search } : {}),
      ...(workflowIds ? { workflowId: { in: workflowIds } } : {}),
      createdAt: { gte: from, lte: to },
      // Says what the status says; by it those under way, few among many, are found in an index of their own.
      ...(filter.status && !isFinal(filter.status) ? { completedAt: null } : {}),
    };
    const visible = visibleTo(caller, 'execution');
    const where = { AND: [asked, visible] };
    const seesAll = Object.keys(visible).length === 0 && !isId;
    const [rows, total] = await Promise.all([
      db.execution.findMany({
        where,
        omit: { input: true, output: true },
        include: { workflow: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      // The tally knows whole workspaces and workflows; what only some may see is counted row by row.
      seesAll
        ? countExecutions({ workspaceId, from, to, status, trigger, workflowIds: workflowIds || undefined })
        : db.execution.count({ where }),
    ]);
    return { data: rows.map(summary), total, limit, offset };
  },
});

const get = operation({
  id: 'executions.get',
  method: 'GET',
  path: '/api/executions/{id}',
  summary: 'Read an execution with its node results',
  description:
    'Of inputs and outputs of nodes 16 MiB each are shown, the smallest first. What is left out is named in `omitted`; ' +
    '`/api/executions/{id}/node-results/{nodeId}` has it.',
  tag,
  access: { resource: 'execution', action: 'read' },
  effect: 'read',
  params: Id,
  output: Execution,
  run: (call, { params: { id } }) => read(call.caller.workspaceId, id),
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
  access: { resource: 'execution', action: 'read' },
  effect: 'read',
  params: Id.extend({ nodeId: z.string() }),
  output: NodeResult,
  async run({ caller }, { params: { id, nodeId } }) {
    const result = await readNodeResult(caller.workspaceId, id, nodeId);
    if (!result) throw notFound('The node’s result');
    return result;
  },
});

const cancel = operation({
  id: 'executions.cancel',
  method: 'POST',
  path: '/api/executions/{id}/cancel',
  summary: 'Cancel an execution',
  description: 'It ends as failed with the code CANCELLED; no node starts any more. One that is over answers 409.',
  tag,
  access: { resource: 'execution', action: 'cancel' },
  // A wish that a worker fulfils: the answer can only show the outcome once the wish is committed.
  effect: 'submit',
  params: Id,
  output: Execution,
  audit: 'resource_access',
  async run(call, { params: { id } }) {
    await read(call.caller.workspaceId, id);
    await wish(call, async (db) => {
      const cancelled = await requestCancel(db, [id]);
      if (cancelled.length === 0) throw conflict('The execution is over already.');
    });
    return outcome(call, id, ({ status }) => isFinal(status));
  },
});

const resume = operation({
  id: 'executions.resume',
  method: 'POST',
  path: '/api/executions/{id}/resume',
  summary: 'Decide at an approval',
  description: 'Of several decisions exactly one counts; the others, and decisions nobody waits for, answer 409.',
  tag,
  access: { resource: 'execution', action: 'resume' },
  effect: 'submit',
  params: Id,
  body: ResumeRequest,
  output: Execution,
  audit: 'resource_access',
  async run(call, { params: { id }, body: { nodeId, decision, comment = null } }) {
    const { workspaceId, email } = call.caller;
    call.note({ metadata: { nodeId, decision } });
    await wish(call, async (db) => {
      requireAssignee(call.caller, (await approvalAt(db, workspaceId, id, nodeId))?.assignees);
      const request = { workspaceId, executionId: id, nodeId, decision, comment, decidedBy: email };
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

/** An approval with assignees is theirs to decide, and its workspace's admins' and owners'. */
function requireAssignee({ email, roles }: Caller, assignees: string[] = []): void {
  if (assignees.length === 0 || roles.includes('owner') || roles.includes('admin')) return;
  const isTheirs = assignees.some((one) => one.toLowerCase() === email);
  if (!isTheirs) throw forbidden('This decision is for its assignees, admins and owners.');
}

/** Stores a wish along with its audit entry, within the call's transaction if there is one. */
async function wish(call: SignedInCall, store: (db: Db) => Promise<void>): Promise<void> {
  const storeAll = async (db: Db) => {
    await store(db);
    await record(db, [call.auditEntry()]);
  };
  await (call.inTransaction ? storeAll(call.db) : transaction(true, storeAll));
}

/** How long an answer waits for a worker to act on a wish. A worker that is there does within milliseconds. */
const PATIENCE_MS = 2000;
const LOOK_MS = 20;

/** The execution once the wish has shown effect. Inside a transaction nobody has heard of it yet. */
async function outcome(call: SignedInCall, id: string, isDone: (execution: Execution) => boolean): Promise<Execution> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(LOOK_MS)) {
    const execution = await read(call.caller.workspaceId, id);
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
  access: { resource: 'execution', action: 'read' },
  effect: 'read',
  params: Id,
  query: z.strictObject({ nodeId: text(1, 300).optional() }),
  output: ExecutionLogs,
  async run({ caller }, { params: { id }, query: { nodeId } }) {
    const entries = await readLogs(caller.workspaceId, id, nodeId);
    if (!entries) throw notFound('The execution');
    return { logs: entries };
  },
});

export const executions = [list, get, nodeResult, cancel, resume, logs];
