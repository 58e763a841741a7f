import { z } from 'zod';
import { Workflow, WorkflowDraft, WorkflowFields } from '@/contract/workflows/workflow';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import { conflict } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { lockWorkflow, isSameContent, requireReady, findWorkflow, presentWorkflow, toJson } from '../content';
import { withFavorite } from '../favorites';
import { CheckedDefinition, ExpectedVersion, MAX_BODY, MAX_VALUES, VersionMessage } from '../input';
import { authorityFor, requireReferences } from '../references';
import { requirePassedTests } from '../tests/rows';
import { authorize, freeze, lastSaved, markPublished, nextVersion } from './version-rows';

const tag = 'Workflows';
const path = '/api/workflows/{id}/draft';
const Id = z.strictObject({ id: z.string() });

/** Locks the workflow until the transaction ends. Throws a 409 if a version newer than `expected` was saved. */
async function holdDraft(db: Db, workspaceId: string, id: string, expected: number | undefined) {
  const row = await lockWorkflow(db, workspaceId, id);
  const latest = row.draftVersion ?? row.version;
  if (expected !== undefined && expected !== latest)
    throw conflict(`The workflow was changed by another request: it was last saved as version ${latest}.`);
  return row;
}

const get = operation({
  id: 'drafts.get',
  method: 'GET',
  path,
  summary: 'Read the latest saved version of a workflow',
  description: 'With the changes that are not published yet, if there are any.',
  tag,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(WorkflowDraft, { headers: etag }),
  run: async ({ db, caller }, { params: { id } }) =>
    withFavorite(db, caller, await lastSaved(db, await findWorkflow(db, caller.workspaceId, id))),
});

const save = operation({
  id: 'drafts.save',
  method: 'PUT',
  path,
  summary: 'Save changes without publishing them',
  description:
    'Makes a version that triggers don’t run yet; it may have gaps. With `If-Match` or `version`, the version that was ' +
    'saved last, it is refused (409) if another user saved meanwhile. A change under `/api/workflows/{id}` takes its place. ' +
    'Each credential and workflow that a node names which is new or changed since the last save needs `credential:use` or ' +
    '`workflow:execute`; `details` of the 403 name those that are refused.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(
    WorkflowFields.pick({ name: true, description: true }).partial().extend({
      definition: CheckedDefinition.optional(),
      message: VersionMessage.optional(),
      version: ExpectedVersion.optional(),
    }),
    { maxBytes: MAX_BODY, maxValues: MAX_VALUES, checksLater: true },
  ),
  reply: jsonReply(WorkflowDraft, { headers: etag }),
  async run({ db, caller, headers, note }, { params: { id }, body: { version, message = '', ...changes } }) {
    const draft = await holdDraft(db, caller.workspaceId, id, expectedVersion(headers, version));
    const before = await lastSaved(db, draft);
    const after = { ...before, ...changes };
    if (isSameContent(before, after)) return withFavorite(db, caller, before);
    await requireReferences(db, caller, after.definition, before.definition);
    note({ metadata: { changed: Object.keys(changes) } });
    const draftVersion = await nextVersion(db, id);
    const authorizedBy = await authorityFor(db, caller, after.definition, before);
    await freeze(db, { ...after, version: draftVersion }, { message, createdBy: caller.userId, authorizedBy });
    const row = await db.workflow.update({ where: { id }, data: { draftVersion, updatedAt: new Date() } });
    return withFavorite(db, caller, await lastSaved(db, row));
  },
});

const publish = operation({
  id: 'drafts.publish',
  method: 'POST',
  path: `${path}/publish`,
  summary: 'Publish the latest saved version',
  description:
    'Triggers run it from then on. An active workflow is refused what it lacks to be run (400). Without changes that wait ' +
    'to be published, nothing happens. Each credential and workflow that a node names which is new or changed since the ' +
    'published version needs `credential:use` or `workflow:execute` of the caller; `details` of the 403 name those that are ' +
    'refused. Runs of the version use the permissions of the caller from then on.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(z.strictObject({ version: ExpectedVersion.optional(), message: VersionMessage.optional() })),
  reply: jsonReply(Workflow, { headers: etag }),
  async run({ db, caller, headers, note }, { params: { id }, body }) {
    const draft = await holdDraft(db, caller.workspaceId, id, expectedVersion(headers, body.version));
    if (draft.draftVersion === null) return withFavorite(db, caller, presentWorkflow(draft));
    const { version, name, description, definition } = await lastSaved(db, draft);
    const live = presentWorkflow(draft);
    await requireReferences(db, caller, definition, live.definition);
    if (draft.status === 'active') await requireReady(db, caller.workspaceId, definition);
    if (live.settings.requireTests) await requirePassedTests(db, id, version);
    note({ metadata: { published: version } });
    const content = { name, description, definition: toJson(definition) };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, version, draftVersion: null, updatedAt: new Date() },
    });
    const where = { workflowId_version: { workflowId: id, version } };
    await authorize(db, row, await authorityFor(db, caller, definition, live));
    if (body.message) await db.workflowVersion.update({ where, data: { message: body.message } });
    await markPublished(db, row);
    return withFavorite(db, caller, presentWorkflow(row));
  },
});

const discard = operation({
  id: 'drafts.discard',
  method: 'DELETE',
  path,
  summary: 'Discard unpublished changes',
  description: 'They stay among the versions.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller }, { params: { id } }) {
    await lockWorkflow(db, caller.workspaceId, id);
    await db.workflow.update({ where: { id }, data: { draftVersion: null } });
  },
});

export const drafts = [get, save, publish, discard];
