import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import { Workflow, type Definition } from '@/contract/workflows/workflow';
import {
  RestoreRequest,
  VersionUpdate,
  VersionsBefore,
  WorkflowVersion,
  WorkflowVersionPage,
  WorkflowVersionWithDefinition,
} from '@/contract/workflows/workflow-version';
import type { WorkflowVersion as Row } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag } from '@/server/api/precondition';
import { notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import {
  lockWorkflow,
  isSameContent,
  requireReady,
  findWorkflow,
  presentWorkflow as shownWorkflow,
  toJson,
} from '../content';
import { withFavorite } from '../favorites';
import { authorityFor, requireReferences } from '../references';
import { freeze, markPublished, nextVersion } from './version-rows';

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
  authorizedBy: row.authorizedBy ?? row.createdBy,
});

/** The names of the authors of these versions. */
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
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: OfWorkflow,
  query: PageQuery,
  reply: jsonReply(WorkflowVersionPage),
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await findWorkflow(db, caller.workspaceId, id);
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
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: One,
  reply: jsonReply(WorkflowVersionWithDefinition),
  async run({ db, caller }, { params: { id, version } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const row = await find(db, id, version);
    const present = summary(row, await authorsOf(db, [row]));
    return { ...present, description: row.description, definition: row.definition as Definition };
  },
});

const describe = operation({
  id: 'versions.describe',
  method: 'PUT',
  path: '/api/workflows/{id}/versions/{version}',
  summary: 'Change the description of a version',
  description: 'The content of a version never changes; its description can.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(VersionUpdate),
  reply: jsonReply(WorkflowVersion, { resource: WorkflowVersionWithDefinition }),
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const { id: versionId } = await find(db, id, version);
    note({ metadata: { version } });
    const row = await db.workflowVersion.update({ where: { id: versionId }, data: { message } });
    return summary(row, await authorsOf(db, [row]));
  },
});

const prune = operation({
  id: 'versions.prune',
  method: 'DELETE',
  path: '/api/workflows/{id}/versions',
  summary: 'Remove old versions that nothing needs',
  description:
    'Of the versions before the current one, those that were never published, have no message, and that no stored ' +
    'execution ran.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: OfWorkflow,
  query: VersionsBefore,
  async run({ db, caller, note }, { params: { id }, query: { before } }) {
    const { version } = await lockWorkflow(db, caller.workspaceId, id);
    // The latest version stays, so that its number is never used again.
    const removed = await db.$executeRaw`
      DELETE FROM workflow_version WHERE workflow_id = ${id} AND version < ${Math.min(before ?? version, version)}::int
        AND published_at IS NULL AND message = ''
        AND version NOT IN (SELECT workflow_version FROM execution WHERE workflow_id = ${id})`;
    note({ metadata: { before, removed } });
  },
});

const restore = operation({
  id: 'versions.restore',
  method: 'POST',
  path: '/api/workflows/{id}/versions/{version}/restore',
  summary: 'Make an old version the current one',
  description:
    'Its content becomes a new version, which triggers run from then on; nothing is lost. Each credential and workflow that ' +
    'a node names which is new or changed against the current version needs `credential:use` or `workflow:execute`; ' +
    '`details` of the 403 name those that are refused.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(RestoreRequest),
  reply: jsonReply(Workflow, { headers: etag }),
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    const before = await lockWorkflow(db, caller.workspaceId, id);
    const { name, description, definition } = await find(db, id, version);
    note({ metadata: { restored: version } });
    const content = { name, description, definition: definition as Definition };
    if (before.draftVersion === null && isSameContent(before, content))
      return withFavorite(db, caller, shownWorkflow(before));
    const live = shownWorkflow(before);
    await requireReferences(db, caller, content.definition, live.definition);
    if (before.status === 'active') await requireReady(db, caller.workspaceId, content.definition);
    const numbers = { version: await nextVersion(db, id), draftVersion: null };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, definition: toJson(content.definition), ...numbers, updatedAt: new Date() },
    });
    await freeze(db, shownWorkflow(row), {
      message: message ?? `Restored version ${version}`,
      createdBy: caller.userId,
      authorizedBy: await authorityFor(db, caller, content.definition, live),
    });
    await markPublished(db, row);
    return withFavorite(db, caller, shownWorkflow(row));
  },
});

export const versions = [list, get, describe, prune, restore];
