import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import { type WorkspaceTier } from '@/contract/tier';
import {
  WorkspaceResponse,
  CreateWorkspaceRequest,
  ListWorkspacesResponse,
  UpdateWorkspaceRequest,
  type WorkspaceSettings,
} from '@/contract/workspace';
import type { Workspace as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { NO_ROLE_NAME, findStrongestRoles } from '@/server/people/access/members';
import { countingMemberships } from '@/server/people/access/membership';
import { toWorkspacePolicy } from '@/server/people/access/policy';
import { createWorkspace } from '@/server/people/accounts/workspaces';
import { applyShorterRetention } from '@/server/engine/store/retention';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { toRunLimitColumns, toRunLimit, requireErrorWorkflow, requireRetentionDays } from '../workflows/settings';

const WORKSPACE_TAG = 'Workspaces';
const WorkspaceParams = z.strictObject({ id: z.string() });

/** The stored settings also say who named the error workflow, which is not shown. */
interface StoredWorkspaceSettings {
  errorWorkflowId?: string | null;
  errorWorkflowBy?: string;
}

function toWorkspaceSettings(row: Row): WorkspaceSettings {
  const { errorWorkflowBy: _, ...settings } = row.settings as StoredWorkspaceSettings;
  return { ...toWorkspacePolicy(settings), concurrency: toRunLimit(row) };
}

const toWorkspaceResponse = (row: Row, role = NO_ROLE_NAME): z.input<typeof WorkspaceResponse> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  tier: row.tier as WorkspaceTier,
  settings: toWorkspaceSettings(row),
  role,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const listWorkspacesOperation = defineOperation({
  id: 'workspaces.list',
  method: 'GET',
  path: '/api/workspaces',
  summary: 'List the workspaces that I can access',
  tag: WORKSPACE_TAG,
  access: signedInAccess({ allowsLimited: true }),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListWorkspacesResponse),
  async run({ db, person: { userId, onlyWorkspaceId } }, { query: { limit, offset } }) {
    const where = { members: { some: { userId, ...countingMemberships(onlyWorkspaceId) } } };
    const [rows, total, roles] = await Promise.all([
      db.workspace.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.workspace.count({ where }),
      findStrongestRoles(db, userId),
    ]);
    return { data: rows.map((row) => toWorkspaceResponse(row, roles.get(row.id))), total, limit, offset };
  },
});

const createWorkspaceOperation = defineOperation({
  id: 'workspaces.create',
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Create a workspace',
  description:
    'It begins empty; the caller becomes its owner. 403 for callers who own the maximum number of workspaces.',
  tag: WORKSPACE_TAG,
  access: signedInAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateWorkspaceRequest),
  reply: jsonReply(WorkspaceResponse, { status: 201, location: '/api/workspaces/{id}' }),
  async run({ db, person, note }, { body: { name } }) {
    await requireBelowCap(db, 'workspaces', person.userId);
    const { id } = await createWorkspace(db, { name, ownerId: person.userId, isEmpty: true });
    note({ resourceId: id, workspaceId: id });
    return toWorkspaceResponse(await db.workspace.findUniqueOrThrow({ where: { id } }), 'owner');
  },
});

const getWorkspaceOperation = defineOperation({
  id: 'workspaces.get',
  method: 'GET',
  path: '/api/workspaces/{id}',
  summary: 'Read a workspace',
  tag: WORKSPACE_TAG,
  access: memberAccess('workspace', 'read', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: WorkspaceParams,
  reply: jsonReply(WorkspaceResponse),
  async run({ db, caller }, { params: { id } }) {
    return toWorkspaceResponse(await db.workspace.findUniqueOrThrow({ where: { id } }), caller.roles[0]);
  },
});

const updateWorkspaceOperation = defineOperation({
  id: 'workspaces.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workspaces/{id}',
  summary: 'Change the name or settings of a workspace',
  description: 'An error workflow needs `workflow:execute` as well, also whenever a failed run is to start it.',
  tag: WORKSPACE_TAG,
  access: memberAccess('workspace', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: WorkspaceParams,
  body: jsonBody(UpdateWorkspaceRequest),
  reply: jsonReply(WorkspaceResponse),
  async run({ db, caller, note, afterwards }, { params: { id }, body: { name, settings } }) {
    requireRetentionDays('settings.executionRetentionDays', settings?.executionRetentionDays ?? 0);
    // Concurrent changes of different settings must both be kept.
    await db.$queryRaw`SELECT id FROM workspace WHERE id = ${id} FOR UPDATE`;
    const before = await db.workspace.findUniqueOrThrow({ where: { id } });
    note({ metadata: { name, settings } });
    const { concurrency, ...others } = settings ?? {};
    const days = others.executionRetentionDays;
    if (days) afterwards(() => applyShorterRetention({ workspaceId: id }, days));
    const stored = { ...(before.settings as StoredWorkspaceSettings), ...others };
    const { errorWorkflowId } = others;
    if (errorWorkflowId && errorWorkflowId !== (before.settings as StoredWorkspaceSettings).errorWorkflowId) {
      await requireErrorWorkflow(db, caller, errorWorkflowId);
      stored.errorWorkflowBy = caller.userId;
    }
    const data = { name, settings: stored, ...toRunLimitColumns(concurrency) };
    return toWorkspaceResponse(await db.workspace.update({ where: { id }, data }), caller.roles[0]);
  },
});

export const workspaceOperations = [
  listWorkspacesOperation,
  createWorkspaceOperation,
  getWorkspaceOperation,
  updateWorkspaceOperation,
];
