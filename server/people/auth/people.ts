import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { removeSecondFactor } from './mfa';

export interface NewPerson {
  /** The address in lower case. */
  email: string;
  name: string;
  /** Null: they sign in through a provider. */
  passwordHash: string | null;
  /** When they proved to own the address; null: not proven. */
  emailProvenAt: Date | null;
}

/**
 * The sender of an invitation sees its link, too. Where sign-up is open, following one proves nothing; elsewhere the
 * sender is an administrator of the one company that runs the service.
 */
export const emailProvenByInvitation = (): Date | null => (getRuntime().env.multiTenant ? null : new Date());

/** The account of the service with this address. Accounts that belong to one workspace alone are excluded. */
export const findServiceAccount = (db: DatabaseClient, email: string) =>
  db.user.findFirst({ where: { email, onlyWorkspaceId: null } });

/** Locks an address until the transaction ends, so that the answer to whether it has an account stays true. */
export const lockEmailAddress = (db: DatabaseClient, email: string) =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`account:${email}`}, 0))`;

/**
 * Creates an account of the service and returns its id; null if the address has one. Needs a transaction. An account
 * that a workspace's provider created for the address (`ensureWorkspaceAccount`) stays separate, with no access to it.
 */
export async function createServiceAccount(db: DatabaseClient, person: NewPerson): Promise<string | null> {
  await lockEmailAddress(db, person.email);
  if (await findServiceAccount(db, person.email)) return null;
  const id = generateId('usr');
  await db.user.create({ data: { id, ...person } });
  return id;
}

/**
 * Turns the oldest account that a workspace's provider created for an address into an account of the service, for a
 * person who has proven the address. Sessions, roles and keys in the workspace stay, limited to that workspace as
 * before; the second factor is removed, because it may belong to the provider. Returns the id; null if there is none.
 * The address must be locked, and must have no account of the service.
 */
export async function adoptProviderAccount(
  db: DatabaseClient,
  { email, name }: Pick<NewPerson, 'email' | 'name'>,
): Promise<string | null> {
  const found = await db.user.findFirst({
    where: { email, onlyWorkspaceId: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  if (!found) return null;
  await removeSecondFactor(db, found.id);
  const data = { name, onlyWorkspaceId: null, emailProvenAt: new Date() };
  await db.user.update({ where: { id: found.id }, data });
  return found.id;
}

/** The account of this workspace alone that has this address, created if there is none. */
export async function ensureWorkspaceAccount(
  db: DatabaseClient,
  onlyWorkspaceId: string,
  { email, name }: Pick<NewPerson, 'email' | 'name'>,
): Promise<string> {
  // Of two concurrent first sign-ins, one creates the account and the other finds it.
  await db.user.createMany({ data: [{ id: generateId('usr'), email, name, onlyWorkspaceId }], skipDuplicates: true });
  const where = { onlyWorkspaceId_email: { onlyWorkspaceId, email } };
  const { id } = await db.user.findUniqueOrThrow({ where, select: { id: true } });
  return id;
}
