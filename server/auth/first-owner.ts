import { createHmac, timingSafeEqual } from 'node:crypto';
import { conflict } from '../api/problem';
import { prisma, type Db } from '../db/client';
import { newId, newOrderedId } from '../db/ids';
import { runtime } from '../runtime';
import { record } from './audit';
import { hashPassword } from './password';
import { systemRoleId } from './permissions';
import { createWorkspace } from './workspaces';

/** Any number; the same in every process, so that one of them decides who is first. */
const LOCK = 7_130_402;

/** True until somebody owns a workspace. */
export async function isOwnerNeeded(db: Db): Promise<boolean> {
  return (await db.roleAssignment.findFirst({ where: { roleId: systemRoleId('owner') } })) === null;
}

/**
 * What the one-time link carries. Derived from JWT_SECRET rather than stored: every process prints the same link, a
 * restart doesn't void it, the database doesn't hold it, and it is void once there is an owner.
 */
const setupToken = () => createHmac('sha256', runtime().env.jwtSecret).update('weft setup link').digest('base64url');

/** Whether this token opens the setup page. In `saas` the page is open to everybody until there is an owner. */
export function opensSetup(token: string | undefined): boolean {
  if (runtime().env.deploymentEnv === 'saas') return true;
  const [given, right] = [Buffer.from(token ?? ''), Buffer.from(setupToken())];
  return given.length === right.length && timingSafeEqual(given, right);
}

export interface FirstOwner {
  email: string;
  name: string;
  /** Hashed by the caller: hashing takes longer than others should wait for the lock. */
  passwordHash: string;
}

/** Creates the first person, who owns the first workspace; null if there is an owner. Needs a transaction. */
export async function createFirstOwner(
  db: Db,
  { email, name, passwordHash }: FirstOwner,
): Promise<{ userId: string; workspaceId: string } | null> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
  if (!(await isOwnerNeeded(db))) return null;
  if (await db.user.findUnique({ where: { email } })) throw conflict('Somebody has this email address already.');
  const userId = newId('usr');
  await db.user.create({ data: { id: userId, email, name, passwordHash, emailProvenAt: new Date() } });
  const workspace = await createWorkspace(db, { name: 'Main', ownerId: userId });
  return { userId, workspaceId: workspace.id };
}

/** What a start finds: an owner, one made from ADMIN_EMAIL and ADMIN_PASSWORD, or the link to print. */
export type Ownership = { kind: 'present' } | { kind: 'created'; email: string } | { kind: 'setup'; url: string };

/** Sees to it, at start, that somebody can sign in. May run in several processes at once. */
export async function ensureFirstOwner(): Promise<Ownership> {
  const { adminEmail, adminPassword, apiBaseUrl } = runtime().env;
  if (!(await isOwnerNeeded(prisma()))) return { kind: 'present' };
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
