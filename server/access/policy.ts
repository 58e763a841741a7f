import { SHORTEST_PASSWORD } from '@/contract/access/session';
import { DEFAULT_SETTINGS, type WorkspaceSettings } from '@/contract/workspace';
import { invalidField } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { countingFor } from './membership';

/** The rules that a workspace sets for its members and its data. The limits on runs have their own columns. */
export type Policy = Omit<WorkspaceSettings, 'concurrency'>;

/** A workspace's stored settings, completed with the defaults. */
export const policyOf = (settings: unknown): Policy => ({ ...DEFAULT_SETTINGS, ...(settings as Partial<Policy>) });

/** The policy of a workspace; the defaults for a deleted one. */
export async function policyIn(db: Db, workspaceId: string): Promise<Policy> {
  const row = await db.workspace.findUnique({ where: { id: workspaceId }, select: { settings: true } });
  return policyOf(row?.settings);
}

/** Minimum length of a new password for this person: the strictest policy of the workspaces that they accepted. */
export async function shortestPasswordOf(db: Db, userId: string): Promise<number> {
  const accepted = { some: { userId, ...countingFor(null) } };
  const rows = await db.workspace.findMany({ where: { members: accepted }, select: { settings: true } });
  return Math.max(SHORTEST_PASSWORD, ...rows.map(({ settings }) => policyOf(settings).passwordMinLength));
}

/** Whether a user with this address may join, by invitation or sign-in. */
export const admits = ({ allowedDomains }: Policy, email: string): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));

/** Throws a 400 on `field` for an address that may not join. */
export async function requireAdmitted(db: Db, workspaceId: string, email: string, field: string): Promise<void> {
  if (admits(await policyIn(db, workspaceId), email)) return;
  throw invalidField(field, 'is not in an allowed domain of this workspace');
}
