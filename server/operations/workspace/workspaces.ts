import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import { type Tier } from '@/contract/tier';
import {
  Workspace,
  WorkspaceCreate,
  WorkspacePage,
  WorkspaceUpdate,
  type WorkspaceSettings,
} from '@/contract/workspace';
import type { Workspace as Row } from '@/generated/prisma/client';
import { memberAccess, operation, signedInAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { NO_ROLE, strongestRoles } from '@/server/access/members';
import { countingFor } from '@/server/access/membership';
import { policyOf } from '@/server/access/policy';
import { createWorkspace } from '@/server/accounts/workspaces';
import { cleanUpRuns } from '@/server/engine/store/retention';
import { requireBelowCap } from '@/server/quotas/caps';
import { limitColumns, limitOf, requireErrorWorkflow, requireKept } from '../workflows/settings';

const tag = 'Workspaces';
const Id = z.strictObject({ id: z.string() });

/** Who named the error workflow is stored with the settings, and not shown. */
interface Stored {
  errorWorkflowId?: string | null;
  errorWorkflowBy?: string;
}

function settingsOf(row: Row): WorkspaceSettings {
  const { errorWorkflowBy: _, ...settings } = row.settings as Stored;
  return { ...policyOf(settings), concurrency: limitOf(row) };
}

const presentWorkspace = (row: Row, role = NO_ROLE): z.input<typeof Workspace> => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  tier: row.tier as Tier,
  settings: settingsOf(row),
  role,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const list = operation({
  id: 'workspaces.list',
  method: 'GET',
  path: '/api/workspaces',
  summary: 'List the workspaces that I can access',
  tag,
  access: signedInAccess({ allowsLimited: true }),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(WorkspacePage),
  async run({ db, person: { userId, onlyWorkspaceId } }, { query: { limit, offset } }) {
    const where = { members: { some: { userId, ...countingFor(onlyWorkspaceId) } } };
    const [rows, total, roles] = await Promise.all([
      db.workspace.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.workspace.count({ where }),
      strongestRoles(db, userId),
    ]);
    return { data: rows.map((row) => presentWorkspace(row, roles.get(row.id))), total, limit, offset };
  },
});

const create = operation({
  id: 'workspaces.create',
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Create a workspace',
  description:
    'It begins empty; the caller becomes its owner. 403 for callers who own the maximum number of workspaces.',
  tag,
  access: signedInAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(WorkspaceCreate),
  reply: jsonReply(Workspace, { status: 201, location: '/api/workspaces/{id}' }),
  async run({ db, person, note }, { body: { name } }) {
    await requireBelowCap(db, 'workspaces', person.userId);
    const { id } = await createWorkspace(db, { name, ownerId: person.userId, isEmpty: true });
    note({ resourceId: id, workspaceId: id });
    return presentWorkspace(await db.workspace.findUniqueOrThrow({ where: { id } }), 'owner');
  },
});

const get = operation({
  id: 'workspaces.get',
  method: 'GET',
  path: '/api/workspaces/{id}',
  summary: 'Read a workspace',
  tag,
  access: memberAccess('workspace', 'read', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Workspace),
  async run({ db, caller }, { params: { id } }) {
    return presentWorkspace(await db.workspace.findUniqueOrThrow({ where: { id } }), caller.roles[0]);
  },
});

const update = operation({
  id: 'workspaces.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workspaces/{id}',
  summary: 'Change the name or settings of a workspace',
  description: 'An error workflow needs `workflow:execute` as well, also whenever a failed run is to start it.',
  tag,
  access: memberAccess('workspace', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(WorkspaceUpdate),
  reply: jsonReply(Workspace),
  async run({ db, caller, note, afterwards }, { params: { id }, body: { name, settings } }) {
    requireKept('settings.executionRetentionDays', settings?.executionRetentionDays ?? 0);
    // Concurrent changes of different settings must both be kept.
    await db.$queryRaw`SELECT id FROM workspace WHERE id = ${id} FOR UPDATE`;
    const before = await db.workspace.findUniqueOrThrow({ where: { id } });
    note({ metadata: { name, settings } });
    const { concurrency, ...others } = settings ?? {};
    const days = others.executionRetentionDays;
    if (days) afterwards(() => cleanUpRuns({ workspaceId: id }, days));
    const stored = { ...(before.settings as Stored), ...others };
    const { errorWorkflowId } = others;
    if (errorWorkflowId && errorWorkflowId !== (before.settings as Stored).errorWorkflowId) {
      await requireErrorWorkflow(db, caller, errorWorkflowId);
      stored.errorWorkflowBy = caller.userId;
    }
    const data = { name, settings: stored, ...limitColumns(concurrency) };
    return presentWorkspace(await db.workspace.update({ where: { id }, data }), caller.roles[0]);
  },
});

export const workspaces = [list, create, get, update];
