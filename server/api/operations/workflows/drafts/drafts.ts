import { z } from 'zod';
import { WorkflowResponse, WorkflowDraft, WritableWorkflowFields } from '@/contract/workflows/workflow';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import { conflictProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import {
  lockWorkflow,
  isSameContent,
  requireReviewed,
  findWorkflow,
  toWorkflowResponse,
  toDefinitionJson,
} from '../workflow-rows';
import { addFavoriteFlag } from '../favorites';
import {
  CheckedDefinition,
  ExpectedVersion,
  MAX_WORKFLOW_BODY_BYTES,
  MAX_WORKFLOW_JSON_VALUES,
  VersionMessageField,
} from '../request-fields';
import { requireReadyForTriggers } from '../start-nodes';
import { resolveRunAuthority, requireUsableReferences } from '../references';
import { requirePassedTests } from '../tests/test-rows';
import { notifyWorkflowSaved } from '@/server/workflow/definition/stored-parts';
import {
  setVersionAuthority,
  storeWorkflowVersion,
  readLastSavedVersion,
  markVersionPublished,
  nextVersionNumber,
} from './version-rows';

const DRAFT_TAG = 'Workflows';
const DRAFT_PATH = '/api/workflows/{id}/draft';
const DraftParams = z.strictObject({ id: z.string() });

/** Locks the workflow until the transaction ends. Throws a 409 if a version newer than `expected` was saved. */
async function lockDraft(db: DatabaseClient, workspaceId: string, id: string, expected: number | undefined) {
  const row = await lockWorkflow(db, workspaceId, id);
  const latest = row.draftVersion ?? row.version;
  if (expected !== undefined && expected !== latest)
    throw conflictProblem(`The workflow was changed by another request: it was last saved as version ${latest}.`);
  return row;
}

const getDraftOperation = defineOperation({
  id: 'drafts.get',
  method: 'GET',
  path: DRAFT_PATH,
  summary: 'Read the latest saved version of a workflow',
  description: 'With the changes that are not published yet, if there are any.',
  tag: DRAFT_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: DraftParams,
  reply: jsonReply(WorkflowDraft, { headers: versionEtagHeader }),
  run: async ({ db, caller }, { params: { id } }) =>
    addFavoriteFlag(db, caller, await readLastSavedVersion(db, await findWorkflow(db, caller.workspaceId, id))),
});

const saveDraftOperation = defineOperation({
  id: 'drafts.save',
  method: 'PUT',
  path: DRAFT_PATH,
  summary: 'Save changes without publishing them',
  description:
    'Makes a version that triggers don’t run yet; it may have gaps. With `If-Match` or `version`, the version that was ' +
    'saved last, it is refused (409) if another user saved meanwhile. A change under `/api/workflows/{id}` takes its place. ' +
    'Each credential and workflow that a node names which is new or changed since the last save needs `credential:use` or ' +
    '`workflow:execute`; `details` of the 403 name those that are refused.',
  tag: DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: DraftParams,
  body: jsonBody(
    WritableWorkflowFields.pick({ name: true, description: true }).partial().extend({
      definition: CheckedDefinition.optional(),
      message: VersionMessageField.optional(),
      version: ExpectedVersion.optional(),
    }),
    { maxBytes: MAX_WORKFLOW_BODY_BYTES, maxValues: MAX_WORKFLOW_JSON_VALUES, checksLater: true },
  ),
  reply: jsonReply(WorkflowDraft, { headers: versionEtagHeader }),
  async run({ db, caller, headers, note }, { params: { id }, body: { version, message = '', ...changes } }) {
    const draft = await lockDraft(db, caller.workspaceId, id, readExpectedVersion(headers, version));
    const before = await readLastSavedVersion(db, draft);
    const after = { ...before, ...changes };
    if (isSameContent(before, after)) return addFavoriteFlag(db, caller, before);
    await requireUsableReferences(db, caller, after.definition, before.definition);
    note({ metadata: { changed: Object.keys(changes) } });
    const draftVersion = await nextVersionNumber(db, id);
    const authorizedBy = await resolveRunAuthority(db, caller, after.definition, before);
    await storeWorkflowVersion(
      db,
      { ...after, version: draftVersion },
      { message, createdBy: caller.userId, authorizedBy },
    );
    const row = await db.workflow.update({ where: { id }, data: { draftVersion, updatedAt: new Date() } });
    return addFavoriteFlag(db, caller, await readLastSavedVersion(db, row));
  },
});

const publishDraftOperation = defineOperation({
  id: 'drafts.publish',
  method: 'POST',
  path: `${DRAFT_PATH}/publish`,
  summary: 'Publish the latest saved version',
  description:
    'Triggers run it from then on. An active workflow is refused what it lacks to be run (400). Without changes that wait ' +
    'to be published, nothing happens. Each credential and workflow that a node names which is new or changed since the ' +
    'published version needs `credential:use` or `workflow:execute` of the caller; `details` of the 403 name those that are ' +
    'refused. Runs of the version use the permissions of the caller from then on.',
  tag: DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: DraftParams,
  body: jsonBody(z.strictObject({ version: ExpectedVersion.optional(), message: VersionMessageField.optional() })),
  reply: jsonReply(WorkflowResponse, { headers: versionEtagHeader }),
  async run({ db, caller, headers, note }, { params: { id }, body }) {
    const draft = await lockDraft(db, caller.workspaceId, id, readExpectedVersion(headers, body.version));
    if (draft.draftVersion === null) return addFavoriteFlag(db, caller, toWorkflowResponse(draft));
    const { version, name, description, definition } = await readLastSavedVersion(db, draft);
    const live = toWorkflowResponse(draft);
    await requireUsableReferences(db, caller, definition, live.definition);
    requireReviewed(definition);
    if (draft.status === 'active') await requireReadyForTriggers(db, draft, definition);
    if (live.settings.requireTests) await requirePassedTests(db, id, version);
    note({ metadata: { published: version } });
    const content = { name, description, definition: toDefinitionJson(definition) };
    const row = await db.workflow.update({
      where: { id },
      data: { ...content, version, draftVersion: null, updatedAt: new Date() },
    });
    const where = { workflowId_version: { workflowId: id, version } };
    await setVersionAuthority(db, row, await resolveRunAuthority(db, caller, definition, live));
    if (body.message) await db.workflowVersion.update({ where, data: { message: body.message } });
    await markVersionPublished(db, row);
    await notifyWorkflowSaved(db, id);
    return addFavoriteFlag(db, caller, toWorkflowResponse(row));
  },
});

const discardDraftOperation = defineOperation({
  id: 'drafts.discard',
  method: 'DELETE',
  path: DRAFT_PATH,
  summary: 'Discard unpublished changes',
  description: 'They stay among the versions.',
  tag: DRAFT_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: DraftParams,
  async run({ db, caller }, { params: { id } }) {
    await lockWorkflow(db, caller.workspaceId, id);
    await db.workflow.update({ where: { id }, data: { draftVersion: null } });
    await notifyWorkflowSaved(db, id);
  },
});

export const draftOperations = [getDraftOperation, saveDraftOperation, publishDraftOperation, discardDraftOperation];
