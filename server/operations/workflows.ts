import { z } from 'zod';
import {
  type Definition,
  Workflow,
  WorkflowFields,
  WorkflowPage,
  WorkflowQuery,
  type WorkflowStatus,
} from '@/contract/workflow';
import { operation } from '../api/operation';
import { etag, expectedVersion } from '../api/precondition';
import { conflict } from '../api/problem';
import { visibleTo } from '../auth/visible';
import { newId } from '../db/ids';
import { latestExecutions } from '../engine/latest';
import { cancel } from '../engine/requests';
import {
  containing,
  hold,
  isSameContent,
  limitColumns,
  requireReady,
  seen,
  shown,
  stored,
  summary,
} from './workflow-content';
import { CheckedDefinition, ExpectedVersion, MAX_BODY, VersionMessage } from './workflow-input';
import { freeze, markPublished, nextVersion } from './workflow-versions';

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

/** draft → active ↔ paused, and back to draft. */
const NEXT: Record<WorkflowStatus, WorkflowStatus[]> = {
  draft: ['draft', 'active'],
  active: ['active', 'paused', 'draft'],
  paused: ['paused', 'active', 'draft'],
};

function requireTransition(from: WorkflowStatus, to: WorkflowStatus): void {
  if (!NEXT[from].includes(to)) throw conflict(`A ${from} workflow can't become ${to}.`);
}

const list = operation({
  id: 'workflows.list',
  method: 'GET',
  path: '/api/workflows',
  summary: 'List workflows',
  description:
    'Newest first, without their definitions but with their last run. `search` finds names that contain it, in any case.',
  tag,
  access: { resource: 'workflow', action: 'read' },
  isFiltered: true,
  effect: 'read',
  query: WorkflowQuery,
  output: WorkflowPage,
  async run({ db, caller }, { query: { limit, offset, status, search } }) {
    const name = search ? containing(search) : undefined;
    const asked = { workspaceId: caller.workspaceId, status, name };
    const where = { AND: [asked, visibleTo(caller, 'workflow')] };
    const [rows, total] = await Promise.all([
      db.workflow.findMany({
        where,
        omit: { definition: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.workflow.count({ where }),
    ]);
    const latest = await latestExecutions(
      rows.map(({ id }) => id),
      visibleTo(caller, 'execution'),
    );
    const listed = rows.map((row) => ({ ...summary(row), lastExecution: latest.get(row.id) ?? null }));
    return { data: listed, total, limit, offset };
  },
});

const create = operation({
  id: 'workflows.create',
  method: 'POST',
  path: '/api/workflows',
  summary: 'Create a workflow',
  description: 'A name is enough: it begins as a draft with one start node.',
  tag,
  access: { resource: 'workflow', action: 'create' },
  effect: 'write',
  body: Create,
  maxBody: MAX_BODY,
  output: Workflow,
  status: 201,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, note }, { body }) {
    const { name, description = '', status = 'draft', definition = ONE_START, message: about = '', concurrency } = body;
    requireTransition('draft', status);
    if (status === 'active') await requireReady(db, caller.workspaceId, definition);
    const id = newId('wf');
    note({ resourceId: id });
    const content = { name, description, definition: stored(definition) };
    const owner = { workspaceId: caller.workspaceId, createdBy: caller.userId };
    const row = await db.workflow.create({
      data: { id, ...content, ...owner, ...limitColumns(concurrency), status, version: 1 },
    });
    await freeze(db, id, shown(row), { message: about, createdBy: caller.userId });
    await markPublished(db, row);
    return shown(row);
  },
});

const get = operation({
  id: 'workflows.get',
  method: 'GET',
  path: '/api/workflows/{id}',
  summary: 'Read a workflow with its definition',
  tag,
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: Id,
  output: Workflow,
  headers: etag,
  run: async ({ db, caller }, { params: { id } }) => shown(await seen(db, caller.workspaceId, id)),
});

const update = operation({
  id: 'workflows.update',
  method: 'PUT',
  path: '/api/workflows/{id}',
  summary: 'Change a workflow',
  description:
    'Changes what it is given and nothing else. A change of name, description or definition makes a new version, which ' +
    'is at once what triggers run; with `If-Match` or `version` it is refused (409) if somebody else made one meanwhile. ' +
    'Under `/draft` changes are saved that wait to be published.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: Id,
  body: Update,
  maxBody: MAX_BODY,
  output: Workflow,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, headers, note }, { params: { id }, body: { version, message: about, ...changes } }) {
    const before = await hold(db, caller.workspaceId, id, expectedVersion(headers, version));
    const after = { ...shown(before), ...changes };
    requireTransition(before.status as WorkflowStatus, after.status);
    if (after.status === 'active') await requireReady(db, caller.workspaceId, after.definition);
    const isNewVersion = !isSameContent(before, after);
    if (!isNewVersion && after.status === before.status && changes.concurrency === undefined) return shown(before);
    note({ metadata: { changed: Object.keys(changes) } });
    const { name, description, status } = after;
    const content = { name, description, definition: stored(after.definition) };
    const row = await db.workflow.update({
      where: { id },
      data: {
        ...content,
        ...limitColumns(changes.concurrency),
        status,
        ...(isNewVersion && { version: await nextVersion(db, id), draftVersion: null }),
        updatedAt: new Date(),
      },
    });
    if (isNewVersion) await freeze(db, id, shown(row), { message: about ?? '', createdBy: caller.userId });
    await markPublished(db, row);
    return shown(row);
  },
});

const remove = operation({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}',
  summary: 'Delete a workflow for good',
  description: 'Its versions, webhooks, schedules and executions go along; running ones are cancelled first.',
  tag,
  access: { resource: 'workflow', action: 'delete' },
  effect: 'write',
  params: Id,
  audit: 'configuration_change',
  async run({ db, caller }, { params: { id } }) {
    await hold(db, caller.workspaceId, id);
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
