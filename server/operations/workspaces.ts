import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  Workspace,
  WorkspaceCreate,
  WorkspacePage,
  WorkspaceUpdate,
  type Tier,
  type WorkspaceSettings,
} from '@/contract/workspace';
import type { Workspace as Row } from '@/generated/prisma/client';
import { operation } from '../api/operation';
import { invalidField } from '../api/problem';
import { NO_ROLE, strongestRoles } from '../auth/members';
import { policyOf } from '../auth/policy';
import { createWorkspace } from '../auth/workspaces';
import { runtime } from '../runtime';
import { limitColumns, limitOf } from './workflow-content';

const tag = 'Workspaces';
const Id = z.strictObject({ id: z.string() });

const settingsOf = (row: Row): WorkspaceSettings => ({ ...policyOf(row.settings), concurrency: limitOf(row) });

const shown = (row: Row, role = NO_ROLE): z.input<typeof Workspace> => ({
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
  access: 'signed-in',
  allowsLimited: true,
  effect: 'read',
  query: PageQuery,
  output: WorkspacePage,
  async run({ db, person: { userId, onlyWorkspaceId } }, { query: { limit, offset } }) {
    const where = { members: { some: { userId } }, id: onlyWorkspaceId ?? undefined };
    const [rows, total, roles] = await Promise.all([
      db.workspace.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.workspace.count({ where }),
      strongestRoles(db, userId),
    ]);
    return { data: rows.map((row) => shown(row, roles.get(row.id))), total, limit, offset };
  },
});

const create = operation({
  id: 'workspaces.create',
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Create a workspace',
  description: 'It begins empty; the caller becomes its owner.',
  tag,
  access: 'signed-in',
  effect: 'write',
  body: WorkspaceCreate,
  output: Workspace,
  status: 201,
  audit: 'configuration_change',
  async run({ db, person, note }, { body: { name } }) {
    const { id } = await createWorkspace(db, { name, ownerId: person.userId, isEmpty: true });
    note({ resourceId: id, workspaceId: id });
    return shown(await db.workspace.findUniqueOrThrow({ where: { id } }), 'owner');
  },
});

const get = operation({
  id: 'workspaces.get',
  method: 'GET',
  path: '/api/workspaces/{id}',
  summary: 'Read a workspace',
  tag,
  access: { resource: 'workspace', action: 'read' },
  workspaceParam: 'id',
  effect: 'read',
  params: Id,
  output: Workspace,
  async run({ db, caller }, { params: { id } }) {
    return shown(await db.workspace.findUniqueOrThrow({ where: { id } }), caller.roles[0]);
  },
});

const update = operation({
  id: 'workspaces.update',
  method: 'PUT',
  path: '/api/workspaces/{id}',
  summary: 'Change the name or settings of a workspace',
  tag,
  access: { resource: 'workspace', action: 'update' },
  workspaceParam: 'id',
  effect: 'write',
  params: Id,
  body: WorkspaceUpdate,
  output: Workspace,
  audit: 'configuration_change',
  async run({ db, caller, note }, { params: { id }, body: { name, settings } }) {
    requireKept(settings?.executionRetentionDays ?? 0);
    // Two changes of different settings at once must both last.
    await db.$queryRaw`SELECT id FROM workspace WHERE id = ${id} FOR UPDATE`;
    const before = await db.workspace.findUniqueOrThrow({ where: { id } });
    note({ metadata: { name, settings } });
    const { concurrency, ...others } = settings ?? {};
    const data = { name, settings: { ...(before.settings as object), ...others }, ...limitColumns(concurrency) };
    return shown(await db.workspace.update({ where: { id }, data }), caller.roles[0]);
  },
});

/** The service's own clean-up comes first: a workspace may keep its runs shorter, not longer. */
function requireKept(days: number): void {
  const most = runtime().env.executionRetentionDays;
  if (days > most)
    throw invalidField('settings.executionRetentionDays', `must be ${most} or less: no run is kept longer`);
}

export const workspaces = [list, create, get, update];
