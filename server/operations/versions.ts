import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  RestoreRequest,
  VersionUpdate,
  Workflow,
  WorkflowVersion,
  WorkflowVersionPage,
  WorkflowVersionWithDefinition,
  type Definition,
} from '@/contract/workflow';
import type { WorkflowVersion as Row } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { etag } from '../api/precondition';
import { notFound } from '../api/problem';
import type { Db } from '../db/client';
import { hold, isSameContent, requireReady, seen, shown as shownWorkflow, stored } from './workflow-content';
import { freeze, markPublished, nextVersion } from './workflow-versions';

const tag = 'Workflows';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({
  id: z.string(),
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

const summary = (row: Omit<Row, 'definition'>, authors: ReadonlyMap<string, string>) => ({
  id: row.id,
  version: row.version,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  author: authors.get(row.createdBy ?? '') ?? null,
  message: row.message,
  publishedAt: row.publishedAt?.toISOString() ?? null,
});

/** The names of those who made these versions. */
async function authorsOf(db: Db, rows: Omit<Row, 'definition'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const people = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(people.map(({ id, name }) => [id, name]));
}

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
    const authors = await authorsOf(db, rows);
    return { data: rows.map((row) => summary(row, authors)), total, limit, offset };
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
    const shown = summary(row, await authorsOf(db, [row]));
    return { ...shown, description: row.description, definition: row.definition as Definition };
  },
});

const describe = operation({
  id: 'versions.describe',
  method: 'PUT',
  path: '/api/workflows/{id}/versions/{version}',
  summary: 'Say what a version is about',
  description: 'What it holds never changes; the word about it may.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: One,
  body: VersionUpdate,
  output: WorkflowVersion,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    await seen(db, caller.workspaceId, id);
    const { id: versionId } = await find(db, id, version);
    note({ metadata: { version } });
    const row = await db.workflowVersion.update({ where: { id: versionId }, data: { message } });
    return summary(row, await authorsOf(db, [row]));
  },
});

const restore = operation({
  id: 'versions.restore',
  method: 'POST',
  path: '/api/workflows/{id}/versions/{version}/restore',
  summary: 'Make an old version the current one',
  description: 'Its content becomes a new version, which triggers run from then on; nothing is lost.',
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
    if (before.draftVersion === null && isSameContent(before, content)) return shownWorkflow(before);
    if (before.status === 'active') await requireReady(db, caller.workspaceId, content.definition);
    const numbers = { version: await nextVersion(db, id), draftVersion: null };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, definition: stored(content.definition), ...numbers, updatedAt: new Date() },
    });
    const about = { message: message ?? `Restored version ${version}`, createdBy: caller.userId };
    await freeze(db, id, shownWorkflow(row), about);
    await markPublished(db, row);
    return shownWorkflow(row);
  },
});

export const versions = [list, get, describe, restore];
