import { MIN_PASSWORD_LENGTH } from '@/contract/access/session';
import { DEFAULT_WORKSPACE_SETTINGS, type WorkspaceSettings } from '@/contract/workspace';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { countingMemberships } from './membership';

/** The rules that a workspace sets for its members and its data. The limits on runs have their own columns. */
export type WorkspacePolicy = Omit<WorkspaceSettings, 'concurrency'>;

/** A workspace's stored settings, completed with the defaults. */
export const toWorkspacePolicy = (settings: unknown): WorkspacePolicy => ({
  ...DEFAULT_WORKSPACE_SETTINGS,
  ...(settings as Partial<WorkspacePolicy>),
});

/** The policy of a workspace; the defaults for a deleted one. */
export async function findWorkspacePolicy(db: DatabaseClient, workspaceId: string): Promise<WorkspacePolicy> {
  const row = await db.workspace.findUnique({ where: { id: workspaceId }, select: { settings: true } });
  return toWorkspacePolicy(row?.settings);
}

/** Minimum length of a new password for this person: the strictest policy of the workspaces that they accepted. */
export async function minPasswordLength(db: DatabaseClient, userId: string): Promise<number> {
  const accepted = { some: { userId, ...countingMemberships(null) } };
  const rows = await db.workspace.findMany({ where: { members: accepted }, select: { settings: true } });
  return Math.max(MIN_PASSWORD_LENGTH, ...rows.map(({ settings }) => toWorkspacePolicy(settings).passwordMinLength));
}

/** Whether a user with this address may join, by invitation or sign-in. */
export const isEmailDomainAllowed = ({ allowedDomains }: WorkspacePolicy, email: string): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));

/** Throws a 400 on `field` for an address that may not join. */
export async function requireAllowedDomain(
  db: DatabaseClient,
  workspaceId: string,
  email: string,
  field: string,
): Promise<void> {
  if (isEmailDomainAllowed(await findWorkspacePolicy(db, workspaceId), email)) return;
  throw invalidFieldProblem(field, 'is not in an allowed domain of this workspace');
}
