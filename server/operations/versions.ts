import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  RestoreRequest,
  Workflow,
  WorkflowVersionPage,
  WorkflowVersionWithDefinition,
  type Definition,
} from '@/contract/workflow';
import type { WorkflowVersion as Row } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { etag } from '../api/precondition';
import { notFound } from '../api/problem';
import type { Db } from '../db/client';
import { hold, isSameContent, publish, seen, shown as shownWorkflow, stored } from './workflow-content';

const tag = 'Workflows';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({
  id: z.string(),
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

const summary = ({ id, version, name, createdAt, createdBy, message }: Omit<Row, 'definition'>) => ({
  id,
  version,
  name,
  createdAt: createdAt.toISOString(),
  createdBy,
  message,
});

async function find(db: Db, workflowId: string, version: number): Promise<Row> {
  const row = await db.workflowVersion.findUnique({ where: { workflowId_version: { workflowId, version } } });
  if (!row) throw notFound('The version');
  return row;
}

const list = operation({
  id: 'versions.list',
  method: 'GET',
  path: '/api/workflows/{id}/versions',
  summary: 'List the versions of a workflow',
  tag,
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: OfWorkflow,
  query: PageQuery,
  output: WorkflowVersionPage,
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await seen(db, caller.workspaceId, id);
    const where = { workflowId: id };
    const [rows, total] = await Promise.all([
      db.workflowVersion.findMany({
        where,
        omit: { definition: true },
        orderBy: { version: 'desc' },
        take: limit,
        skip: offset,
      }),
      db.workflowVersion.count({ where }),
    ]);
    return { data: rows.map(summary), total, limit, offset };
  },
});

const get = operation({
  id: 'versions.get',
  method: 'GET',
  path: '/api/workflows/{id}/versions/{version}',
  summary: 'Read a version with its definition',
  tag,
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: One,
  output: WorkflowVersionWithDefinition,
  async run({ db, caller }, { params: { id, version } }) {
    await seen(db, caller.workspaceId, id);
    const row = await find(db, id, version);
    return { ...summary(row), description: row.description, definition: row.definition as Definition };
  },
});

const restore = operation({
  id: 'versions.restore',
  method: 'POST',
  path: '/api/workflows/{id}/versions/{version}/restore',
  summary: 'Make an old version the current one',
  description: 'Its content becomes a new version; nothing is lost.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: One,
  body: RestoreRequest,
  output: Workflow,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    const before = await hold(db, caller.workspaceId, id);
    const { name, description, definition } = await find(db, id, version);
    note({ metadata: { restored: version } });
    const content = { name, description, definition: definition as Definition };
    if (isSameContent(before, content)) return shownWorkflow(before);
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, definition: stored(content.definition), version: before.version + 1, updatedAt: new Date() },
    });
    await publish(db, row, message ?? `Restored version ${version}`, caller.userId);
    return shownWorkflow(row);
  },
});

export const versions = [list, get, restore];
