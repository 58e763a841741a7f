import { randomBytes } from 'node:crypto';
import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '../db/client';
import { newId, newOrderedId } from '../db/ids';
import { runtime } from '../runtime';
import { systemRoleId } from './permissions';
import { welcomeDefinition } from './welcome';

/** What a workspace starts with. */
const SETTINGS = { mfaPolicy: 'off', ssoRequired: false };

const MAX_SLUG = 48;

/** The name in lower case as it may stand in an address. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '') || 'workspace';

/** `acme`, `acme-2`, …, and soon something that nobody else has. */
const candidates = (slug: string) => [
  slug,
  ...[2, 3, 4, 5].map((number) => `${slug}-${number}`),
  `${slug}-${randomBytes(6).toString('hex')}`,
];

/**
 * Creates a workspace with its owner and, unless it is to be empty, the Welcome workflow; answers its id and slug.
 * Inside a transaction, so that there is either all of it or nothing.
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

/** Two that take a slug at once: the second waits for the first, then sees that it is gone and takes the next. */
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
