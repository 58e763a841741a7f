import { z } from 'zod';
import {
  type Definition,
  Workflow,
  WorkflowFields,
  WorkflowPage,
  WorkflowQuery,
  type WorkflowStatus,
} from '@/contract/workflows/workflow';
import { after, pageOf, readCursor } from '@/server/api/cursor';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import { conflict } from '@/server/errors/problem';
import type { Caller } from '@/server/access/caller';
import type { Db } from '@/server/db/client';
import { visibleTo } from '@/server/access/filter';
import { newId } from '@/server/db/ids';
import { latestExecutions } from '@/server/engine/report/latest';
import { cancel } from '@/server/engine/queue/requests';
import { cleanUpRuns } from '@/server/engine/store/retention';
import { requireQuota } from '@/server/quotas/quota';
import {
  containing,
  lockWorkflow,
  isSameContent,
  requireReady,
  findWorkflow,
  presentWorkflow,
  toJson,
  summary,
} from './content';
import { favoriteFilter, favoritesAmong, setFavorite, withFavorite } from './favorites';
import { requireFolder } from './folders';
import { CheckedDefinition, ExpectedVersion, MAX_BODY, MAX_VALUES, VersionMessage } from './input';
import { authorityFor, requireReferences } from './references';
import { announceReferenceData } from '../reference-data';
import { settingsColumns } from './settings';
import { withInvalidDraft } from './drafts/invalid-drafts';
import { requirePassedTests } from './tests/rows';
import { authorize, freeze, markPublished, nextVersion } from './drafts/version-rows';

const tag = 'Workflows';
const Id = z.strictObject({ id: z.string() });
const ONE_START: Definition = {
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
};

const Create = WorkflowFields.partial()
  .required({ name: true })
  .extend({ definition: CheckedDefinition.optional(), message: VersionMessage.optional() });

const Update = WorkflowFields.partial().extend({
  definition: CheckedDefinition.optional(),
  message: VersionMessage.optional(),
  version: ExpectedVersion.optional(),
});

/** Fields of a change that change nothing themselves. */
const PRECONDITIONS = ['version', 'message'];

/** draft → active ↔ paused, and back to draft. */
const NEXT: Record<WorkflowStatus, WorkflowStatus[]> = {
  draft: ['draft', 'active'],
  active: ['active', 'paused', 'draft'],
  paused: ['paused', 'active', 'draft'],
};

function requireTransition(from: WorkflowStatus, to: WorkflowStatus): void {
  if (!NEXT[from].includes(to)) throw conflict(`A ${from} workflow can't become ${to}.`);
}

/** Names of the people who created these workflows, as far as they are still members. */
async function ownersOf(db: Db, { workspaceId }: Caller, rows: { createdBy: string | null }[]) {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const where = { id: { in: ids }, memberships: { some: { workspaceId } } };
  const users = await db.user.findMany({ where, select: { id: true, name: true } });
  return new Map(users.map(({ id, name }) => [id, name]));
}

const list = operation({
  id: 'workflows.list',
  method: 'GET',
  path: '/api/workflows',
  summary: 'List workflows',
  description:
    'Newest first, without their definitions but with their last run. `search` finds names that contain it, in any case. ' +
    'Filters are combined.',
  tag,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: WorkflowQuery,
  reply: jsonReply(WorkflowPage),
  async run({ db, caller }, { query: { limit, offset, cursor, status, search, tag: label, folderId, favorite } }) {
    const name = search ? containing(search) : undefined;
    const filter = {
      workspaceId: caller.workspaceId,
      status,
      name,
      ...(label === undefined ? {} : { tags: { has: label } }),
      ...(folderId === undefined ? {} : { folderId: folderId === 'none' ? null : folderId }),
      ...(favorite === undefined ? {} : favoriteFilter(caller, favorite === 'true')),
    };
    const where = { AND: [filter, visibleTo(caller, 'workflow')] };
    const position = readCursor(cursor, offset);
    const [found, total] = await Promise.all([
      db.workflow.findMany({
        where: { AND: [...where.AND, after('createdAt', position) ?? {}] },
        omit: { definition: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        skip: offset,
      }),
      db.workflow.count({ where }),
    ]);
    const { rows, nextCursor } = pageOf(found, limit, ({ createdAt: at, id }) => ({ at, id }));
    const ids = rows.map(({ id }) => id);
    const [latest, favorites, owners, invalid] = await Promise.all([
      latestExecutions(ids, visibleTo(caller, 'execution')),
      favoritesAmong(db, caller, ids),
      ownersOf(db, caller, rows),
      withInvalidDraft(db, ids),
    ]);
    const listed = rows.map((row) => ({
      ...summary(row),
      isFavorite: favorites.has(row.id),
      owner: owners.get(row.createdBy ?? '') ?? null,
      lastExecution: latest.get(row.id) ?? null,
      hasInvalidDraft: invalid.has(row.id),
    }));
    return { data: listed, total, limit, offset, nextCursor };
  },
});

const create = operation({
  id: 'workflows.create',
  method: 'POST',
  path: '/api/workflows',
  summary: 'Create a workflow',
  description:
    'A name is enough: it begins as a draft with one start node. Each credential that the definition names needs ' +
    '`credential:use`, each workflow `workflow:execute`, also the error workflow of `settings`; `details` of the 403 name ' +
    'those of the definition that are refused. 403 also when the workspace has as many workflows as its tier allows.',
  tag,
  access: memberAccess('workflow', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(Create, { maxBytes: MAX_BODY, maxValues: MAX_VALUES, checksLater: true }),
  reply: jsonReply(Workflow, { status: 201, location: '/api/workflows/{id}', headers: etag }),
  async run({ db, caller, note }, { body }) {
    const { name, description = '', status = 'draft', definition = ONE_START, message: about = '' } = body;
    requireTransition('draft', status);
    await requireReferences(db, caller, definition);
    if (status === 'active') await requireReady(db, caller.workspaceId, definition);
    await requireQuota(db, caller, 'workflows');
    const settings = await settingsColumns(db, caller, null, body);
    const { tags = [], folderId = null, isFavorite = false } = body;
    if (folderId !== null) await requireFolder(db, caller.workspaceId, folderId, 'folderId');
    const id = newId('wf');
    note({ resourceId: id, metadata: { name } });
    const content = { name, description, definition: toJson(definition) };
    const owner = { workspaceId: caller.workspaceId, createdBy: caller.userId };
    const row = await db.workflow.create({
      data: { id, ...content, ...owner, ...settings, tags, folderId, status, version: 1 },
    });
    await freeze(db, presentWorkflow(row), { message: about, createdBy: caller.userId, authorizedBy: caller.userId });
    await markPublished(db, row);
    if (isFavorite) await setFavorite(db, caller, id, true);
    return { ...presentWorkflow(row), isFavorite };
  },
});

const get = operation({
  id: 'workflows.get',
  method: 'GET',
  path: '/api/workflows/{id}',
  summary: 'Read a workflow with its definition',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Workflow, { headers: etag }),
  run: async ({ db, caller }, { params: { id } }) =>
    withFavorite(db, caller, presentWorkflow(await findWorkflow(db, caller.workspaceId, id))),
});

const update = operation({
  id: 'workflows.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}',
  summary: 'Change a workflow',
  description:
    'Changes only the fields of the request. A change of name, description or definition makes a new version, which ' +
    'is at once what triggers run; with `If-Match` or `version` it is refused (409) if another user made one meanwhile. ' +
    'Under `/draft` changes are saved that wait to be published. Each credential and workflow that a new or changed node ' +
    'names needs `credential:use` or `workflow:execute`; `details` of the 403 name those that are refused. Runs of the new ' +
    'version use the permissions of the caller, also once the caller activates it. Of `settings` the fields of the request ' +
    'change; null unsets one. An error workflow needs `workflow:execute`, also whenever a failed run is to start it.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(Update, { maxBytes: MAX_BODY, maxValues: MAX_VALUES, checksLater: true }),
  reply: jsonReply(Workflow, { headers: etag }),
  async run({ db, caller, headers, note, afterwards }, { params: { id }, body }) {
    const { version, message: about, settings, concurrency, isFavorite, tags, folderId, ...changes } = body;
    const before = await lockWorkflow(db, caller.workspaceId, id, expectedVersion(headers, version));
    const live = presentWorkflow(before);
    const after = { ...live, ...changes };
    requireTransition(live.status, after.status);
    await requireReferences(db, caller, after.definition, live.definition);
    if (after.status === 'active') await requireReady(db, caller.workspaceId, after.definition);
    const isNewVersion = !isSameContent(before, after);
    const isActivated = live.status !== 'active' && after.status === 'active';
    if (live.settings.requireTests && after.status === 'active' && (isNewVersion || isActivated))
      await requirePassedTests(db, id, isNewVersion ? await nextVersion(db, id) : live.version);
    if (isFavorite !== undefined) await setFavorite(db, caller, id, isFavorite);
    const around = [settings, concurrency, tags, folderId];
    if (!isNewVersion && after.status === live.status && around.every((field) => field === undefined))
      return withFavorite(db, caller, live);
    if (folderId) await requireFolder(db, caller.workspaceId, folderId, 'folderId');
    const columns = await settingsColumns(db, caller, before, { settings, concurrency });
    note({ metadata: { changed: Object.keys(body).filter((field) => !PRECONDITIONS.includes(field)), settings } });
    if (settings?.timeZone !== undefined) await announceReferenceData(db, id, afterwards);
    const days = settings?.retentionDays;
    if (days) afterwards(() => cleanUpRuns({ workspaceId: caller.workspaceId, workflowId: id }, days));
    const { name, description, status } = after;
    const content = { name, description, definition: toJson(after.definition) };
    const row = await db.workflow.update({
      where: { id },
      data: {
        ...content,
        ...columns,
        tags,
        folderId,
        status,
        ...(isNewVersion && { version: await nextVersion(db, id), draftVersion: null }),
        updatedAt: new Date(),
      },
    });
    const authorizedBy = await authorityFor(db, caller, after.definition, live);
    if (isNewVersion)
      await freeze(db, presentWorkflow(row), { message: about ?? '', createdBy: caller.userId, authorizedBy });
    else if (isActivated) await authorize(db, row, authorizedBy);
    await markPublished(db, row);
    return withFavorite(db, caller, presentWorkflow(row));
  },
});

const remove = operation({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}',
  summary: 'Delete a workflow for good',
  description:
    'Its versions, webhooks, schedules and executions are deleted as well; running ones are cancelled first.',
  tag,
  access: memberAccess('workflow', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller, note }, { params: { id } }) {
    const { name } = await lockWorkflow(db, caller.workspaceId, id);
    note({ metadata: { name } });
    const running = await db.execution.findMany({
      where: { workflowId: id, status: { notIn: ['completed', 'failed'] } },
      select: { id: true },
    });
    if (running.length > 0)
      await cancel(
        db,
        running.map((execution) => execution.id),
      );
    await db.workflow.delete({ where: { id } });
  },
});

export const workflows = [list, create, get, update, remove];

export { create as createWorkflow, update as updateWorkflow, remove as deleteWorkflow };
