import type { ScopedPermission } from '@/contract/access/security';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { buildUser, unique, type TestUser } from './factories';

/** A member of a workspace with exactly these permissions. */
export async function buildPermitted(workspaceId: string, permissions: ScopedPermission[]): Promise<TestUser> {
  const user = await buildUser({ workspaceId, role: 'viewer' });
  await prismaClient().roleAssignment.deleteMany({ where: { workspaceId, userId: user.id } });
  await permit(user, permissions);
  return user;
}

/** Adds permissions to a member, each by a custom role of its own. */
export async function permit({ id: userId, workspaceId }: TestUser, permissions: ScopedPermission[]): Promise<void> {
  for (const { on, ...permission } of permissions) {
    const roleId = generateId('role');
    await prismaClient().role.create({
      data: {
        id: roleId,
        workspaceId,
        name: unique('role'),
        description: '',
        inherits: [],
        permissions: [permission] as object[],
        lineage: [roleId],
      },
    });
    const place = { resourceType: on?.type ?? null, resourceId: on?.id ?? null };
    await prismaClient().roleAssignment.create({
      data: { id: generateId('asg'), workspaceId, userId, roleId, ...place },
    });
  }
}
