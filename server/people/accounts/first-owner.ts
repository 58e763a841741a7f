import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { conflictProblem } from '@/server/platform/errors/problem';
import { databasePool, prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { appendAuditEntries } from '@/server/people/audit/record';
import { hashPassword } from '@/server/people/auth/password';
import { isValidSignature, signText } from '@/server/platform/db/signing';
import { createServiceAccount } from '@/server/people/auth/people';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { createWorkspace } from './workspaces';

/** Key of the advisory lock; the same in every process, so that one of them creates the first owner. */
const FIRST_OWNER_LOCK_ID = 7_130_402;

/** Whether no workspace has an owner yet. */
export async function isOwnerNeeded(db: DatabaseClient): Promise<boolean> {
  return (await db.roleAssignment.findFirst({ where: { roleId: systemRoleId('owner') } })) === null;
}

const SETUP_LINK_PURPOSE = 'weft setup link';

/**
 * The token of the one-time link. It is derived from JWT_SECRET instead of stored: every process prints the same link,
 * it survives restarts, the database does not contain it, and it is void after the first owner exists.
 */
const deriveSetupToken = () => signText(SETUP_LINK_PURPOSE);

/** Whether this token opens the setup page. In `saas` mode the page is public until there is an owner. */
export function isSetupToken(token: string | undefined): boolean {
  if (getRuntime().env.deploymentEnv === 'saas') return true;
  return isValidSignature(token ?? '', SETUP_LINK_PURPOSE);
}

export interface FirstOwnerDetails {
  email: string;
  name: string;
  /** Hashed by the caller, because hashing takes too long to hold the lock meanwhile. */
  passwordHash: string;
  /** The language of expressions in the first workspace. */
  expressionLanguage?: ExpressionLanguage | undefined;
}

/** Creates the first person, who owns the first workspace. Returns null if there is an owner. Needs a transaction. */
export async function createFirstOwner(
  db: DatabaseClient,
  { email, name, passwordHash, expressionLanguage }: FirstOwnerDetails,
): Promise<{ userId: string; workspaceId: string } | null> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_OWNER_LOCK_ID})`;
  if (!(await isOwnerNeeded(db))) return null;
  const userId = await createServiceAccount(db, { email, name, passwordHash, emailProvenAt: new Date() });
  if (userId === null) throw conflictProblem('Another account has this email address.');
  const workspace = await createWorkspace(db, { name: 'Main', ownerId: userId, expressionLanguage });
  return { userId, workspaceId: workspace.id };
}

/**
 * The result of the check at start: an owner, an owner created from ADMIN_EMAIL and ADMIN_PASSWORD, or the link to
 * print.
 */
export type OwnershipStatus = { kind: 'present' } | { kind: 'created'; email: string } | { kind: 'setup'; url: string };

/** Ensures at start that a user can sign in. Safe to run in several processes at once. */
export async function ensureFirstOwner(): Promise<OwnershipStatus> {
  const { adminEmail, adminPassword, apiBaseUrl } = getRuntime().env;
  // The question of `isOwnerNeeded` without Prisma, whose engine a worker would load for nothing else.
  const owners = 'SELECT FROM role_assignment WHERE role_id = $1 LIMIT 1';
  if ((await databasePool().query(owners, [systemRoleId('owner')])).rowCount !== 0) return { kind: 'present' };
  if (!adminEmail || !adminPassword) return { kind: 'setup', url: `${apiBaseUrl}/setup?token=${deriveSetupToken()}` };
  const [name = adminEmail] = adminEmail.split('@', 1);
  const passwordHash = await hashPassword(adminPassword);
  const created = await prismaClient().$transaction(async (db) => {
    const owner = await createFirstOwner(db, { email: adminEmail, name, passwordHash });
    if (owner) await appendAuditEntries(db, [firstOwnerAuditEntry(owner)]);
    return owner;
  });
  return created ? { kind: 'created', email: adminEmail } : { kind: 'present' };
}

const firstOwnerAuditEntry = ({ userId, workspaceId }: { userId: string; workspaceId: string }) => ({
  id: generateOrderedId('aud'),
  workspaceId,
  category: 'configuration_change' as const,
  action: 'setup.create',
  result: 'success' as const,
  actor: { type: 'system', id: null, email: null },
  resource: { type: 'setup', id: userId },
  metadata: { ipAddress: '', userAgent: '', requestId: '', source: 'ADMIN_EMAIL' },
});
