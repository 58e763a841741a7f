import { OWNED_WORKSPACES } from '@/contract/quota';
import { MAX_PINS } from '@/contract/workflows/pin';
import { MAX_VARIABLES } from '@/contract/workflows/variable-names';
import { Problem } from '@/server/errors/problem';
import { systemRoleId } from '@/server/db/system-role-id';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { lockCount } from './lock';

interface Cap {
  most(): number | null;
  /** The counted objects, as named in the error. */
  what: string;
  /** `id`: of the object that the cap applies to. */
  count(db: Db, id: string): Promise<number>;
}

const atMost = (most: number, what: string, count: Cap['count']): Cap => ({ most: () => most, what, count });

/**
 * Upper limits of cheap objects, in every tier: far above legitimate use, and low enough that they can neither fill the disk nor slow down
 * lists.
 */
export const CAPS = {
  webhooks: atMost(100, 'webhooks of a workflow', (db, workflowId) => db.webhook.count({ where: { workflowId } })),
  forms: atMost(100, 'forms of a workflow', (db, workflowId) => db.form.count({ where: { workflowId } })),
  chats: atMost(100, 'chats of a workflow', (db, workflowId) => db.chat.count({ where: { workflowId } })),
  tests: atMost(500, 'tests of a workflow', (db, workflowId) => db.workflowTest.count({ where: { workflowId } })),
  pins: atMost(MAX_PINS, 'pins of a workflow', (db, workflowId) => db.workflowPin.count({ where: { workflowId } })),
  folders: atMost(1000, 'folders of a workspace', (db, workspaceId) => db.folder.count({ where: { workspaceId } })),
  alerts: atMost(100, 'alerts of a workspace', (db, workspaceId) => db.alert.count({ where: { workspaceId } })),
  variables: atMost(MAX_VARIABLES, 'variables of a workspace', (db, workspaceId) =>
    db.variable.count({ where: { workspaceId } }),
  ),
  credentials: atMost(1000, 'credentials of a workspace', (db, workspaceId) =>
    db.credential.count({ where: { workspaceId } }),
  ),
  members: atMost(5000, 'members and open invitations of a workspace', async (db, workspaceId) => {
    const where = { workspaceId };
    return (await db.member.count({ where })) + (await db.invitation.count({ where }));
  }),
  /** `id`: `<workspace> <person>` */
  assignments: atMost(500, 'roles that a member holds', (db, id) => {
    const [workspaceId = '', userId = ''] = id.split(' ');
    return db.roleAssignment.count({ where: { workspaceId, userId } });
  }),
  apiKeys: atMost(500, 'API keys of a workspace', (db, workspaceId) =>
    db.apiKey.count({ where: { workspaceId, revokedAt: null } }),
  ),
  ssoProviders: atMost(100, 'sign-in providers of a workspace', (db, workspaceId) =>
    db.ssoProvider.count({ where: { workspaceId } }),
  ),
  workspaces: {
    most: () => OWNED_WORKSPACES[runtime().env.rateLimitTier],
    what: 'workspaces that a person owns',
    count: (db: Db, userId: string) =>
      db.roleAssignment.count({
        where: { userId, roleId: systemRoleId('owner'), resourceType: null, workspace: { deletedAt: null } },
      }),
  },
} satisfies Record<string, Cap>;

/** Throws FORBIDDEN at the cap. Exact, like `requireQuota`. */
export async function requireBelowCap(db: Db, name: keyof typeof CAPS, id: string): Promise<void> {
  const { most, what, count } = CAPS[name];
  const limit = most();
  if (limit === null) return;
  await lockCount(db, name, id);
  if ((await count(db, id)) >= limit) throw capReached(limit, what);
}

/** The error for an object over a cap. */
export const capReached = (most: number, what: string): Problem =>
  new Problem('FORBIDDEN', `The limit of ${most.toLocaleString('en')} ${what} is reached.`, [
    { field: 'limit', message: `${what}: ${most.toLocaleString('en')}` },
  ]);
