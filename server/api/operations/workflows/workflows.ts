import { z } from 'zod';
import {
  type WorkflowDefinition,
  WorkflowResponse,
  WritableWorkflowFields,
  type WorkflowStatus,
} from '@/contract/workflows/workflow';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { generateId } from '@/server/platform/db/ids';
import { requestCancellation } from '@/server/engine/queue/requests';
import { applyShorterRetention } from '@/server/engine/store/retention';
import { requireObjectQuota } from '@/server/platform/quotas/quota';
import {
  lockWorkflow,
  isSameContent,
  requireReadyToActivate,
  findWorkflow,
  toWorkflowResponse,
  toDefinitionJson,
} from './workflow-rows';
import { startNodeProblem } from '@/server/workflow/nodes/flow/start';
import { setFavorite, addFavoriteFlag } from './favorites';
import { requireFolder } from './folders';
import {
  CheckedDefinition,
  ExpectedVersion,
  MAX_WORKFLOW_BODY_BYTES,
  MAX_WORKFLOW_JSON_VALUES,
  VersionMessageField,
} from './request-fields';
import { resolveRunAuthority, requireUsableReferences } from './references';
import { adoptImportedSubscriptions } from '../webhooks/subscription-rows';
import { announceReferenceData } from '../reference-data';
import { toSettingsColumns } from './settings';
import { requireReadyForTriggers, requireStartNode } from './start-nodes';
import { requirePassedTests } from './tests/test-rows';
import {
  setVersionAuthority,
  storeWorkflowVersion,
  markVersionPublished,
  nextVersionNumber,
} from './drafts/version-rows';
import { notifyWorkflowSaved } from '@/server/workflow/definition/stored-parts';
import { listWorkflowsOperation } from './list-workflows';

const WORKFLOW_TAG = 'Workflows';
const WorkflowParams = z.strictObject({ id: z.string() });
const STARTER_DEFINITION: WorkflowDefinition = {
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
};

const WorkflowCreateBody = WritableWorkflowFields.partial()
  .required({ name: true })
  .extend({ definition: CheckedDefinition.optional(), message: VersionMessageField.optional() });

const WorkflowUpdateBody = WritableWorkflowFields.partial().extend({
  definition: CheckedDefinition.optional(),
  message: VersionMessageField.optional(),
  version: ExpectedVersion.optional(),
});

/** Fields of a request that do not themselves change the workflow. */
const PRECONDITION_FIELDS = ['version', 'message'];

/** A status may change from draft to active, between active and paused, and back to draft. */
const STATUS_TRANSITIONS: Record<WorkflowStatus, WorkflowStatus[]> = {
  draft: ['draft', 'active'],
  active: ['active', 'paused', 'draft'],
  paused: ['paused', 'active', 'draft'],
};

function requireStatusTransition(from: WorkflowStatus, to: WorkflowStatus): void {
  if (!STATUS_TRANSITIONS[from].includes(to)) throw conflictProblem(`A ${from} workflow can't become ${to}.`);
}

const createWorkflowOperation = defineOperation({
  id: 'workflows.create',
  method: 'POST',
  path: '/api/workflows',
  summary: 'Create a workflow',
  description:
    'A name is enough: it begins as a draft with one start node. Each credential that the definition names needs ' +
    '`credential:use`, each workflow `workflow:execute`, also the error workflow of `settings`; `details` of the 403 name ' +
    'those of the definition that are refused. 403 also when the workspace has as many workflows as its tier allows.',
  tag: WORKFLOW_TAG,
  access: memberAccess('workflow', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(WorkflowCreateBody, {
    maxBytes: MAX_WORKFLOW_BODY_BYTES,
    maxValues: MAX_WORKFLOW_JSON_VALUES,
    checksLater: true,
  }),
  reply: jsonReply(WorkflowResponse, { status: 201, location: '/api/workflows/{id}', headers: versionEtagHeader }),
  async run({ db, caller, note }, { body }) {
    const { name, description = '', status = 'draft', definition = STARTER_DEFINITION, message: about = '' } = body;
    requireStatusTransition('draft', status);
    await requireUsableReferences(db, caller, definition);
    if (status === 'active') await requireReadyToActivate(db, caller.workspaceId, definition);
    await requireObjectQuota(db, caller, 'workflows');
    const settings = await toSettingsColumns(db, caller, null, body);
    const problem = startNodeProblem(definition, body.settings?.startNodeId ?? null);
    if (problem !== null) throw invalidFieldProblem('settings.startNodeId', problem);
    const { tags = [], folderId = null, isFavorite = false } = body;
    if (folderId !== null) await requireFolder(db, caller.workspaceId, folderId, 'folderId');
    const id = generateId('wf');
    note({ resourceId: id, metadata: { name } });
    const content = { name, description, definition: toDefinitionJson(definition) };
    const owner = { workspaceId: caller.workspaceId, createdBy: caller.userId };
    const row = await db.workflow.create({
      data: { id, ...content, ...owner, ...settings, tags, folderId, status, version: 1 },
    });
    await storeWorkflowVersion(db, toWorkflowResponse(row), {
      message: about,
      createdBy: caller.userId,
      authorizedBy: caller.userId,
    });
    await markVersionPublished(db, row);
    if (isFavorite) await setFavorite(db, caller, id, true);
    return { ...toWorkflowResponse(row), isFavorite };
  },
});

const getWorkflowOperation = defineOperation({
  id: 'workflows.get',
  method: 'GET',
  path: '/api/workflows/{id}',
  summary: 'Read a workflow with its definition',
  tag: WORKFLOW_TAG,
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: WorkflowParams,
  reply: jsonReply(WorkflowResponse, { headers: versionEtagHeader }),
  run: async ({ db, caller }, { params: { id } }) =>
    addFavoriteFlag(db, caller, toWorkflowResponse(await findWorkflow(db, caller.workspaceId, id))),
});

const updateWorkflowOperation = defineOperation({
  id: 'workflows.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}',
  summary: 'Change a workflow',
  description:
    'Changes only the fields of the request. A change of name, description or definition makes a new version, which ' +
    'is at once what triggers run; with `If-Match` or `version` it is refused (409) if another user made one meanwhile. ' +
    'Under `/draft` changes are saved that wait to be published. A start node may go that an enabled trigger names: ' +
    'webhooks, forms and chats then answer 409, and schedules and polls set `lastError`. Each credential and workflow that a new or changed node ' +
    'names needs `credential:use` or `workflow:execute`; `details` of the 403 name those that are refused. Runs of the new ' +
    'version use the permissions of the caller, also once the caller activates it. Of `settings` the fields of the request ' +
    'change; null unsets one. An error workflow needs `workflow:execute`, also whenever a failed run is to start it.',
  tag: WORKFLOW_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: WorkflowParams,
  body: jsonBody(WorkflowUpdateBody, {
    maxBytes: MAX_WORKFLOW_BODY_BYTES,
    maxValues: MAX_WORKFLOW_JSON_VALUES,
    checksLater: true,
  }),
  reply: jsonReply(WorkflowResponse, { headers: versionEtagHeader }),
  async run({ db, caller, headers, note, afterwards }, { params: { id }, body }) {
    const { version, message: about, settings, concurrency, isFavorite, tags, folderId, ...changes } = body;
    const before = await lockWorkflow(db, caller.workspaceId, id, readExpectedVersion(headers, version));
    const live = toWorkflowResponse(before);
    const after = { ...live, ...changes };
    requireStatusTransition(live.status, after.status);
    await requireUsableReferences(db, caller, after.definition, live.definition);
    const isNewVersion = !isSameContent(before, after);
    const isActivated = live.status !== 'active' && after.status === 'active';
    const start = { field: 'settings.startNodeId', definition: after.definition };
    await requireStartNode(db, before, settings?.startNodeId, start);
    const next = { ...before, settings: { ...live.settings, ...settings } };
    if (isActivated) await requireReadyForTriggers(db, next, after.definition);
    else if (after.status === 'active') await requireReadyToActivate(db, caller.workspaceId, after.definition);
    if (live.settings.requireTests && after.status === 'active' && (isNewVersion || isActivated))
      await requirePassedTests(db, id, isNewVersion ? await nextVersionNumber(db, id) : live.version);
    if (isFavorite !== undefined) await setFavorite(db, caller, id, isFavorite);
    const around = [settings, concurrency, tags, folderId];
    if (!isNewVersion && after.status === live.status && around.every((field) => field === undefined))
      return addFavoriteFlag(db, caller, live);
    if (folderId) await requireFolder(db, caller.workspaceId, folderId, 'folderId');
    const columns = await toSettingsColumns(db, caller, before, { settings, concurrency });
    note({
      metadata: { changed: Object.keys(body).filter((field) => !PRECONDITION_FIELDS.includes(field)), settings },
    });
    if (settings?.timeZone !== undefined) await announceReferenceData(db, id, afterwards);
    const days = settings?.retentionDays;
    if (days) afterwards(() => applyShorterRetention({ workspaceId: caller.workspaceId, workflowId: id }, days));
    const { name, description, status } = after;
    const content = { name, description, definition: toDefinitionJson(after.definition) };
    const row = await db.workflow.update({
      where: { id },
      data: {
        ...content,
        ...columns,
        tags,
        folderId,
        status,
        ...(isNewVersion && { version: await nextVersionNumber(db, id), draftVersion: null }),
        updatedAt: new Date(),
      },
    });
    const authorizedBy = await resolveRunAuthority(db, caller, after.definition, live);
    if (isNewVersion)
      await storeWorkflowVersion(db, toWorkflowResponse(row), {
        message: about ?? '',
        createdBy: caller.userId,
        authorizedBy,
      });
    else if (isActivated) await setVersionAuthority(db, row, authorizedBy);
    if (isActivated) await adoptImportedSubscriptions(db, id);
    if (!isNewVersion) await notifyWorkflowSaved(db, id);
    await markVersionPublished(db, row);
    return addFavoriteFlag(db, caller, toWorkflowResponse(row));
  },
});

const deleteWorkflowOperation = defineOperation({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}',
  summary: 'Delete a workflow for good',
  description:
    'Its versions, webhooks, schedules and executions are deleted as well; running ones are cancelled first.',
  tag: WORKFLOW_TAG,
  access: memberAccess('workflow', 'delete'),
  effect: writeEffect('configuration_change'),
  params: WorkflowParams,
  async run({ db, caller, note }, { params: { id } }) {
    const { name } = await lockWorkflow(db, caller.workspaceId, id);
    note({ metadata: { name } });
    const running = await db.execution.findMany({
      where: { workflowId: id, status: { notIn: ['completed', 'failed'] } },
      select: { id: true },
    });
    if (running.length > 0)
      await requestCancellation(
        db,
        running.map((execution) => execution.id),
      );
    await db.workflow.delete({ where: { id } });
  },
});

export const workflowOperations = [
  listWorkflowsOperation,
  createWorkflowOperation,
  getWorkflowOperation,
  updateWorkflowOperation,
  deleteWorkflowOperation,
];

export { createWorkflowOperation, updateWorkflowOperation, deleteWorkflowOperation };
