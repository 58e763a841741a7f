import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import { WorkflowResponse, type WorkflowDefinition } from '@/contract/workflows/workflow';
import {
  RestoreRequest,
  VersionUpdate,
  VersionsBefore,
  WorkflowVersion,
  WorkflowVersionPage,
  WorkflowVersionWithDefinition,
} from '@/contract/workflows/workflow-version';
import type { WorkflowVersion as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader } from '@/server/api/operation/precondition';
import { notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import {
  lockWorkflow,
  isSameContent,
  requireReadyToActivate,
  findWorkflow,
  toWorkflowResponse as shownWorkflow,
  toDefinitionJson,
} from '../workflow-rows';
import { addFavoriteFlag } from '../favorites';
import { resolveRunAuthority, requireUsableReferences } from '../references';
import { storeWorkflowVersion, markVersionPublished, nextVersionNumber } from './version-rows';

const VERSION_TAG = 'Workflows';
const VersionCollectionParams = z.strictObject({ id: z.string() });
const VersionParams = z.strictObject({
  id: z.string(),
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

const toVersionSummary = (row: Omit<Row, 'definition'>, authors: ReadonlyMap<string, string>) => ({
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
async function readAuthorNames(db: DatabaseClient, rows: Omit<Row, 'definition'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const people = await db.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(people.map(({ id, name }) => [id, name]));
}

async function findVersionRow(db: DatabaseClient, workflowId: string, version: number): Promise<Row> {
  const row = await db.workflowVersion.findUnique({ where: { workflowId_version: { workflowId, version } } });
  if (!row) throw notFoundProblem('The version');
  return row;
}

const listVersionsOperation = defineOperation({
  id: 'versions.list',
  method: 'GET',
  path: '/api/workflows/{id}/versions',
  summary: 'List the versions of a workflow',
  tag: VERSION_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: VersionCollectionParams,
  query: PaginationQuery,
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
    const authors = await readAuthorNames(db, rows);
    return { data: rows.map((row) => toVersionSummary(row, authors)), total, limit, offset };
  },
});

const getVersionOperation = defineOperation({
  id: 'versions.get',
  method: 'GET',
  path: '/api/workflows/{id}/versions/{version}',
  summary: 'Read a version with its definition',
  tag: VERSION_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: VersionParams,
  reply: jsonReply(WorkflowVersionWithDefinition),
  async run({ db, caller }, { params: { id, version } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const row = await findVersionRow(db, id, version);
    const present = toVersionSummary(row, await readAuthorNames(db, [row]));
    return { ...present, description: row.description, definition: row.definition as WorkflowDefinition };
  },
});

const describeVersionOperation = defineOperation({
  id: 'versions.describe',
  method: 'PUT',
  path: '/api/workflows/{id}/versions/{version}',
  summary: 'Change the description of a version',
  description: 'The content of a version never changes; its description can.',
  tag: VERSION_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: VersionParams,
  body: jsonBody(VersionUpdate),
  reply: jsonReply(WorkflowVersion, { resource: WorkflowVersionWithDefinition }),
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const { id: versionId } = await findVersionRow(db, id, version);
    note({ metadata: { version } });
    const row = await db.workflowVersion.update({ where: { id: versionId }, data: { message } });
    return toVersionSummary(row, await readAuthorNames(db, [row]));
  },
});

const pruneVersionsOperation = defineOperation({
  id: 'versions.prune',
  method: 'DELETE',
  path: '/api/workflows/{id}/versions',
  summary: 'Remove old versions that nothing needs',
  description:
    'Of the versions before the current one, those that were never published, have no message, and that no stored ' +
    'execution ran.',
  tag: VERSION_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: VersionCollectionParams,
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

const restoreVersionOperation = defineOperation({
  id: 'versions.restore',
  method: 'POST',
  path: '/api/workflows/{id}/versions/{version}/restore',
  summary: 'Make an old version the current one',
  description:
    'Its content becomes a new version, which triggers run from then on; nothing is lost. Each credential and workflow that ' +
    'a node names which is new or changed against the current version needs `credential:use` or `workflow:execute`; ' +
    '`details` of the 403 name those that are refused.',
  tag: VERSION_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: VersionParams,
  body: jsonBody(RestoreRequest),
  reply: jsonReply(WorkflowResponse, { headers: versionEtagHeader }),
  async run({ db, caller, note }, { params: { id, version }, body: { message } }) {
    const before = await lockWorkflow(db, caller.workspaceId, id);
    const { name, description, definition } = await findVersionRow(db, id, version);
    note({ metadata: { restored: version } });
    const content = { name, description, definition: definition as WorkflowDefinition };
    if (before.draftVersion === null && isSameContent(before, content))
      return addFavoriteFlag(db, caller, shownWorkflow(before));
    const live = shownWorkflow(before);
    await requireUsableReferences(db, caller, content.definition, live.definition);
    if (before.status === 'active') await requireReadyToActivate(db, caller.workspaceId, content.definition);
    const numbers = { version: await nextVersionNumber(db, id), draftVersion: null };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, definition: toDefinitionJson(content.definition), ...numbers, updatedAt: new Date() },
    });
    await storeWorkflowVersion(db, shownWorkflow(row), {
      message: message ?? `Restored version ${version}`,
      createdBy: caller.userId,
      authorizedBy: await resolveRunAuthority(db, caller, content.definition, live),
    });
    await markVersionPublished(db, row);
    return addFavoriteFlag(db, caller, shownWorkflow(row));
  },
});

export const versionOperations = [
  listVersionsOperation,
  getVersionOperation,
  describeVersionOperation,
  pruneVersionsOperation,
  restoreVersionOperation,
];
