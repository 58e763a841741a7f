import { randomBytes } from 'node:crypto';
import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { newId, newOrderedId } from '@/server/db/ids';
import { runtime } from '@/server/runtime';
import { systemRoleId } from '@/server/db/system-role-id';
import { welcomeDefinition } from './welcome';

/** The parameters of a new workspace. */
const SETTINGS = { mfaPolicy: 'off', ssoRequired: false };

const MAX_SLUG = 48;

/** The name in lower case, reduced to characters that an address may contain. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '') || 'workspace';

/** `acme`, `acme-2`, …, then random suffixes. */
const candidates = (slug: string) => [
  slug,
  ...[2, 3, 4, 5].map((number) => `${slug}-${number}`),
  `${slug}-${randomBytes(6).toString('hex')}`,
];

/**
 * Creates a workspace with its owner and, unless `isEmpty`, the Welcome workflow. Returns its id and slug. Needs a
 * transaction, so that all of it is stored or nothing.
 */
export async function createWorkspace(
  db: Db,
  { name, ownerId, isEmpty = false }: { name: string; ownerId: string; isEmpty?: boolean },
): Promise<{ id: string; slug: string }> {
  const { env } = runtime();
  const id = newId('ws');
  const slug = await take(db, { id, name, tier: env.rateLimitTier, settings: SETTINGS });
  await db.member.create({ data: { workspaceId: id, userId: ownerId } });
  await db.roleAssignment.create({
    data: { id: newId('asg'), workspaceId: id, userId: ownerId, roleId: systemRoleId('owner') },
  });
  if (!isEmpty) await addWelcome(db, id, ownerId);
  return { id, slug };
}

async function addWelcome(db: Db, workspaceId: string, ownerId: string): Promise<void> {
  const owner = await db.user.findUniqueOrThrow({ where: { id: ownerId }, select: { email: true } });
  const content = {
    name: 'Welcome',
    description: 'A first workflow to run, watch and change.',
    definition: welcomeDefinition(runtime().env, owner.email) as Prisma.InputJsonObject,
    version: 1,
    createdBy: ownerId,
  };
  const workflowId = newId('wf');
  await db.workflow.create({ data: { id: workflowId, workspaceId, status: 'draft', ...content } });
  await db.workflowVersion.create({ data: { id: newOrderedId('wfv'), workflowId, message: '', ...content } });
}

/**
 * Of two transactions that take the same slug, the second waits for the first, finds the slug taken and tries the next.
 */
async function take(
  db: Db,
  data: { id: string; name: string; tier: string; settings: typeof SETTINGS },
): Promise<string> {
  for (const slug of candidates(slugOf(data.name))) {
    const { count } = await db.workspace.createMany({ data: [{ ...data, slug }], skipDuplicates: true });
    if (count === 1) return slug;
  }
  throw new Error('No slug is free, not even a random one.');
}
