import { randomBytes } from 'node:crypto';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId, generateOrderedId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { buildWelcomeDefinition } from './welcome';

type NewWorkspaceSettings = {
  mfaPolicy: string;
  ssoRequired: boolean;
  expressionLanguage?: ExpressionLanguage;
};

/** The parameters of a new workspace. */
const NEW_WORKSPACE_SETTINGS: NewWorkspaceSettings = { mfaPolicy: 'off', ssoRequired: false };

const MAX_WORKSPACE_SLUG_LENGTH = 48;

/** The name in lower case, reduced to characters that an address may contain. */
export const workspaceSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORKSPACE_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '') || 'workspace';

/** `acme`, `acme-2`, …, then random suffixes. */
const slugCandidates = (slug: string) => [
  slug,
  ...[2, 3, 4, 5].map((number) => `${slug}-${number}`),
  `${slug}-${randomBytes(6).toString('hex')}`,
];

/**
 * Creates a workspace with its owner and, unless `isEmpty`, the Welcome workflow. Returns its id and slug. Needs a
 * transaction, so that all of it is stored or nothing.
 */
export async function createWorkspace(
  db: DatabaseClient,
  {
    name,
    ownerId,
    isEmpty = false,
    expressionLanguage,
  }: { name: string; ownerId: string; isEmpty?: boolean; expressionLanguage?: ExpressionLanguage | undefined },
): Promise<{ id: string; slug: string }> {
  const { env } = getRuntime();
  const id = generateId('ws');
  const settings = { ...NEW_WORKSPACE_SETTINGS, ...(expressionLanguage ? { expressionLanguage } : {}) };
  const slug = await insertWithFreeSlug(db, { id, name, tier: env.rateLimitTier, settings });
  await db.member.create({ data: { workspaceId: id, userId: ownerId } });
  await db.roleAssignment.create({
    data: { id: generateId('asg'), workspaceId: id, userId: ownerId, roleId: systemRoleId('owner') },
  });
  if (!isEmpty) await addWelcomeWorkflow(db, id, ownerId);
  return { id, slug };
}

async function addWelcomeWorkflow(db: DatabaseClient, workspaceId: string, ownerId: string): Promise<void> {
  const owner = await db.user.findUniqueOrThrow({ where: { id: ownerId }, select: { email: true } });
  const content = {
    name: 'Welcome',
    description: 'A first workflow to run, watch and change.',
    definition: buildWelcomeDefinition(getRuntime().env, owner.email) as Prisma.InputJsonObject,
    version: 1,
    createdBy: ownerId,
  };
  const workflowId = generateId('wf');
  await db.workflow.create({ data: { id: workflowId, workspaceId, status: 'draft', ...content } });
  await db.workflowVersion.create({ data: { id: generateOrderedId('wfv'), workflowId, message: '', ...content } });
}

/**
 * Of two transactions that take the same slug, the second waits for the first, finds the slug taken and tries the next.
 */
async function insertWithFreeSlug(
  db: DatabaseClient,
  data: { id: string; name: string; tier: string; settings: NewWorkspaceSettings },
): Promise<string> {
  for (const slug of slugCandidates(workspaceSlug(data.name))) {
    const { count } = await db.workspace.createMany({ data: [{ ...data, slug }], skipDuplicates: true });
    if (count === 1) return slug;
  }
  throw new Error('No slug is free, not even a random one.');
}
