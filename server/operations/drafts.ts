import { z } from 'zod';
import { Workflow, WorkflowDraft, WorkflowFields } from '@/contract/workflow';
import { operation } from '../api/operation';
import { etag, expectedVersion } from '../api/precondition';
import { conflict } from '../api/problem';
import type { Db } from '../db/client';
import { hold, isSameContent, requireReady, seen, shown, stored } from './workflow-content';
import { CheckedDefinition, ExpectedVersion, MAX_BODY, VersionMessage } from './workflow-input';
import { freeze, lastSaved, markPublished, nextVersion } from './workflow-versions';

const tag = 'Workflows';
const path = '/api/workflows/{id}/draft';
const Id = z.strictObject({ id: z.string() });

/** The workflow, locked until the transaction ends; a 409 if something newer than `expected` was saved. */
async function holdDraft(db: Db, workspaceId: string, id: string, expected: number | undefined) {
  const row = await hold(db, workspaceId, id);
  const latest = row.draftVersion ?? row.version;
  if (expected !== undefined && expected !== latest)
    throw conflict(`The workflow was changed meanwhile: it was last saved as version ${latest}.`);
  return row;
}

const get = operation({
  id: 'drafts.get',
  method: 'GET',
  path,
  summary: 'Read a workflow as it was saved last',
  description: 'With the changes that are not published yet, if there are any.',
  tag,
  access: { resource: 'workflow', action: 'read' },
  effect: 'read',
  params: Id,
  output: WorkflowDraft,
  headers: etag,
  run: async ({ db, caller }, { params: { id } }) => lastSaved(db, await seen(db, caller.workspaceId, id)),
});

const save = operation({
  id: 'drafts.save',
  method: 'PUT',
  path,
  summary: 'Save changes that wait to be published',
  description:
    'Makes a version that triggers don’t run yet; it may have gaps. With `If-Match` or `version`, the version that was ' +
    'saved last, it is refused (409) if somebody else saved meanwhile. A change under `/api/workflows/{id}` takes its place.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: Id,
  body: WorkflowFields.pick({ name: true, description: true }).partial().extend({
    definition: CheckedDefinition.optional(),
    message: VersionMessage.optional(),
    version: ExpectedVersion.optional(),
  }),
  maxBody: MAX_BODY,
  output: WorkflowDraft,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, headers, note }, { params: { id }, body: { version, message = '', ...changes } }) {
    const held = await holdDraft(db, caller.workspaceId, id, expectedVersion(headers, version));
    const before = await lastSaved(db, held);
    const after = { ...before, ...changes };
    if (isSameContent(before, after)) return before;
    note({ metadata: { changed: Object.keys(changes) } });
    const draftVersion = await nextVersion(db, id);
    await freeze(db, id, { ...after, version: draftVersion }, { message, createdBy: caller.userId });
    const row = await db.workflow.update({ where: { id }, data: { draftVersion, updatedAt: new Date() } });
    return lastSaved(db, row);
  },
});

const publish = operation({
  id: 'drafts.publish',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Publish what was saved last',
  description:
    'Triggers run it from then on. An active workflow is refused what it lacks to be run (400). Without changes that wait ' +
    'to be published, nothing happens.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: Id,
  body: z.strictObject({ version: ExpectedVersion.optional(), message: VersionMessage.optional() }),
  output: Workflow,
  audit: 'configuration_change',
  headers: etag,
  async run({ db, caller, headers, note }, { params: { id }, body }) {
    const held = await holdDraft(db, caller.workspaceId, id, expectedVersion(headers, body.version));
    if (held.draftVersion === null) return shown(held);
    const { version, name, description, definition } = await lastSaved(db, held);
    if (held.status === 'active') await requireReady(db, caller.workspaceId, definition);
    note({ metadata: { published: version } });
    const content = { name, description, definition: stored(definition) };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, version, draftVersion: null, updatedAt: new Date() },
    });
    const where = { workflowId_version: { workflowId: id, version } };
    if (body.message) await db.workflowVersion.update({ where, data: { message: body.message } });
    await markPublished(db, row);
    return shown(row);
  },
});

const discard = operation({
  id: 'drafts.discard',
  method: 'DELETE',
  path,
  summary: 'Give up changes that are not published',
  description: 'They stay among the versions.',
  tag,
  access: { resource: 'workflow', action: 'update' },
  effect: 'write',
  params: Id,
  audit: 'configuration_change',
  async run({ db, caller }, { params: { id } }) {
    await hold(db, caller.workspaceId, id);
    await db.workflow.update({ where: { id }, data: { draftVersion: null } });
  },
});

export const drafts = [get, save, publish, discard];
