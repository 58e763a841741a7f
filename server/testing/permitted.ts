import type { Permission } from '@/contract/access/security';
import { prisma } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { buildUser, unique, type TestUser } from './factories';

/** A member of a workspace with exactly these permissions. */
export async function buildPermitted(workspaceId: string, permissions: Permission[]): Promise<TestUser> {
  const user = await buildUser({ workspaceId, role: 'viewer' });
  await prisma().roleAssignment.deleteMany({ where: { workspaceId, userId: user.id } });
  await permit(user, permissions);
  return user;
}

/** Adds permissions to a member, each by a custom role of its own. */
export async function permit({ id: userId, workspaceId }: TestUser, permissions: Permission[]): Promise<void> {
  for (const { on, ...permission } of permissions) {
    const roleId = newId('role');
    await prisma().role.create({
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
    await prisma().roleAssignment.create({ data: { id: newId('asg'), workspaceId, userId, roleId, ...place } });
  }
}
