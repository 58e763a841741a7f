import { MAX_OWNED_WORKSPACES } from '@/contract/quota';
import { MAX_SAVED_FILTERS } from '@/contract/saved-filter';
import { MAX_PINNED_NODES } from '@/contract/workflows/pin';
import { MAX_WORKSPACE_VARIABLES } from '@/contract/workflows/variable-names';
import { ApiProblem } from '@/server/platform/errors/problem';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import type { DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { lockObjectCount } from './lock';

interface ObjectCap {
  most(): number | null;
  /** The counted objects, as named in the error. */
  what: string;
  /** `id`: of the object that the cap applies to. */
  count(db: DatabaseClient, id: string): Promise<number>;
}

const fixedCap = (most: number, what: string, count: ObjectCap['count']): ObjectCap => ({
  most: () => most,
  what,
  count,
});

/**
 * Upper limits of cheap objects, in every tier: far above legitimate use, and low enough that they can neither fill the
 * disk nor slow down lists.
 */
export const OBJECT_CAPS = {
  webhooks: fixedCap(100, 'webhooks of a workflow', (db, workflowId) => db.webhook.count({ where: { workflowId } })),
  forms: fixedCap(100, 'forms of a workflow', (db, workflowId) => db.form.count({ where: { workflowId } })),
  chats: fixedCap(100, 'chats of a workflow', (db, workflowId) => db.chat.count({ where: { workflowId } })),
  tests: fixedCap(500, 'tests of a workflow', (db, workflowId) => db.workflowTest.count({ where: { workflowId } })),
  pins: fixedCap(MAX_PINNED_NODES, 'pins of a workflow', (db, workflowId) =>
    db.workflowPin.count({ where: { workflowId } }),
  ),
  folders: fixedCap(1000, 'folders of a workspace', (db, workspaceId) => db.folder.count({ where: { workspaceId } })),
  alerts: fixedCap(100, 'alerts of a workspace', (db, workspaceId) => db.alert.count({ where: { workspaceId } })),
  variables: fixedCap(MAX_WORKSPACE_VARIABLES, 'variables of a workspace', (db, workspaceId) =>
    db.variable.count({ where: { workspaceId } }),
  ),
  credentials: fixedCap(1000, 'credentials of a workspace', (db, workspaceId) =>
    db.credential.count({ where: { workspaceId } }),
  ),
  members: fixedCap(5000, 'members and open invitations of a workspace', async (db, workspaceId) => {
    const where = { workspaceId };
    return (await db.member.count({ where })) + (await db.invitation.count({ where }));
  }),
  /** `id`: `<workspace> <person>` */
  assignments: fixedCap(500, 'roles that a member holds', (db, id) => {
    const [workspaceId = '', userId = ''] = id.split(' ');
    return db.roleAssignment.count({ where: { workspaceId, userId } });
  }),
  /** `id`: `<workspace> <person>` */
  savedFilters: fixedCap(MAX_SAVED_FILTERS, 'saved filters of a member', (db, id) => {
    const [workspaceId = '', userId = ''] = id.split(' ');
    return db.savedFilter.count({ where: { workspaceId, userId } });
  }),
  apiKeys: fixedCap(500, 'API keys of a workspace', (db, workspaceId) =>
    db.apiKey.count({ where: { workspaceId, revokedAt: null } }),
  ),
  ssoProviders: fixedCap(100, 'sign-in providers of a workspace', (db, workspaceId) =>
    db.ssoProvider.count({ where: { workspaceId } }),
  ),
  workspaces: {
    most: () => MAX_OWNED_WORKSPACES[getRuntime().env.rateLimitTier],
    what: 'workspaces that a person owns',
    count: (db: DatabaseClient, userId: string) =>
      db.roleAssignment.count({
        where: { userId, roleId: systemRoleId('owner'), resourceType: null, workspace: { deletedAt: null } },
      }),
  },
} satisfies Record<string, ObjectCap>;

/** Throws FORBIDDEN at the cap. Exact, like `requireObjectQuota`. */
export async function requireBelowCap(db: DatabaseClient, name: keyof typeof OBJECT_CAPS, id: string): Promise<void> {
  const { most, what, count } = OBJECT_CAPS[name];
  const limit = most();
  if (limit === null) return;
  await lockObjectCount(db, name, id);
  if ((await count(db, id)) >= limit) throw capReachedProblem(limit, what);
}

/** The error for an object over a cap. */
export const capReachedProblem = (most: number, what: string): ApiProblem =>
  new ApiProblem('FORBIDDEN', `The limit of ${most.toLocaleString('en')} ${what} is reached.`, [
    { field: 'limit', message: `${what}: ${most.toLocaleString('en')}` },
  ]);
