import { conflict } from '@/server/errors/problem';
import { pool, prisma, type Db } from '@/server/db/client';
import { newOrderedId } from '@/server/db/ids';
import { runtime } from '@/server/runtime';
import { record } from '@/server/audit/record';
import { hashPassword } from '@/server/auth/password';
import { isSigned, signatureOf } from '@/server/db/signing';
import { createPerson } from '@/server/auth/people';
import { systemRoleId } from '@/server/db/system-role-id';
import { createWorkspace } from './workspaces';

/** Key of the advisory lock; the same in every process, so that one of them creates the first owner. */
const LOCK = 7_130_402;

/** Whether no workspace has an owner yet. */
export async function isOwnerNeeded(db: Db): Promise<boolean> {
  return (await db.roleAssignment.findFirst({ where: { roleId: systemRoleId('owner') } })) === null;
}

const PURPOSE = 'weft setup link';

/**
 * The token of the one-time link. It is derived from JWT_SECRET instead of stored: every process prints the same link,
 * it survives restarts, the database does not contain it, and it is void after the first owner exists.
 */
const setupToken = () => signatureOf(PURPOSE);

/** Whether this token opens the setup page. In `saas` mode the page is public until there is an owner. */
export function opensSetup(token: string | undefined): boolean {
  if (runtime().env.deploymentEnv === 'saas') return true;
  return isSigned(token ?? '', PURPOSE);
}

export interface FirstOwner {
  email: string;
  name: string;
  /** Hashed by the caller, because hashing takes too long to hold the lock meanwhile. */
  passwordHash: string;
}

/** Creates the first person, who owns the first workspace. Returns null if there is an owner. Needs a transaction. */
export async function createFirstOwner(
  db: Db,
  { email, name, passwordHash }: FirstOwner,
): Promise<{ userId: string; workspaceId: string } | null> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  if (!(await isOwnerNeeded(db))) return null;
  const userId = await createPerson(db, { email, name, passwordHash, emailProvenAt: new Date() });
  if (userId === null) throw conflict('Another account has this email address.');
  const workspace = await createWorkspace(db, { name: 'Main', ownerId: userId });
  return { userId, workspaceId: workspace.id };
}

/**
 * The result of the check at start: an owner, an owner created from ADMIN_EMAIL and ADMIN_PASSWORD, or the link to
 * print.
 */
export type Ownership = { kind: 'present' } | { kind: 'created'; email: string } | { kind: 'setup'; url: string };

/** Ensures at start that a user can sign in. Safe to run in several processes at once. */
export async function ensureFirstOwner(): Promise<Ownership> {
  const { adminEmail, adminPassword, apiBaseUrl } = runtime().env;
  // The question of `isOwnerNeeded` without Prisma, whose engine a worker would load for nothing else.
  const owners = 'SELECT FROM role_assignment WHERE role_id = $1 LIMIT 1';
  if ((await pool().query(owners, [systemRoleId('owner')])).rowCount !== 0) return { kind: 'present' };
  if (!adminEmail || !adminPassword) return { kind: 'setup', url: `${apiBaseUrl}/setup?token=${setupToken()}` };
  const [name = adminEmail] = adminEmail.split('@', 1);
  const passwordHash = await hashPassword(adminPassword);
  const created = await prisma().$transaction(async (db) => {
    const owner = await createFirstOwner(db, { email: adminEmail, name, passwordHash });
    if (owner) await record(db, [entryOf(owner)]);
    return owner;
  });
  return created ? { kind: 'created', email: adminEmail } : { kind: 'present' };
}

const entryOf = ({ userId, workspaceId }: { userId: string; workspaceId: string }) => ({
  id: newOrderedId('aud'),
  workspaceId,
  category: 'configuration_change' as const,
  action: 'setup.create',
  result: 'success' as const,
  actor: { type: 'system', id: null, email: null },
  resource: { type: 'setup', id: userId },
  metadata: { ipAddress: '', userAgent: '', requestId: '', source: 'ADMIN_EMAIL' },
});
