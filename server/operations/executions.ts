import { z } from 'zod';
import {
  Execution,
  ExecutionLogs,
  ExecutionPage,
  ExecutionQuery,
  ResumeRequest,
  type ExecutionStatus,
  type RunError,
  type Trigger,
} from '@/contract/execution';
import { text } from '@/contract/text';
import type { Execution as Row } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { notFound } from '../api/problem';
import { readExecution, readLogs } from '../engine/report';
import { cancel as requestCancel, decide } from '../engine/requests';

const tag = 'Executions';
const Id = z.strictObject({ id: z.string() });

type Listed = Omit<Row, 'input' | 'output'>;

const summary = (row: Listed) => ({
  id: row.id,
  workflowId: row.workflowId,
  workflowVersion: row.workflowVersion,
  status: row.status as ExecutionStatus,
  trigger: row.trigger as Trigger,
  startedAt: row.startedAt.toISOString(),
  completedAt: row.completedAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
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
  effect: 'read',
  query: ExecutionQuery,
  output: ExecutionPage,
  async run({ db, caller }, { query: { limit, offset, from, to, ...filter } }) {
    const where = { workspaceId: caller.workspaceId, ...filter, createdAt: { gte: from, lte: to } };
    const [rows, total] = await Promise.all([
      db.execution.findMany({
        where,
        omit: { input: true, output: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.execution.count({ where }),
    ]);
    return { data: rows.map(summary), total, limit, offset };
  },
});

const get = operation({
  id: 'executions.get',
  method: 'GET',
  path: '/api/executions/{id}',
  summary: 'Read an execution with its node results',
  tag,
  access: { resource: 'execution', action: 'read' },
  effect: 'read',
  params: Id,
  output: Execution,
  run: (call, { params: { id } }) => read(call.caller.workspaceId, id),
});

const cancel = operation({
  id: 'executions.cancel',
  method: 'POST',
  path: '/api/executions/{id}/cancel',
  summary: 'Cancel an execution',
  description: 'It ends as failed with the code CANCELLED; no node starts any more. One that is over answers 409.',
  tag,
  access: { resource: 'execution', action: 'cancel' },
  effect: 'write',
  params: Id,
  output: Execution,
  audit: 'resource_access',
  async run({ db, caller }, { params: { id } }) {},
});
