import { SHORTEST_PASSWORD } from '@/contract/session';
import { DEFAULT_SETTINGS, type WorkspaceSettings } from '@/contract/workspace';
import { invalidField } from '../api/problem';
import type { Db } from '../db/client';

/** What a workspace asks of its members and keeps for them; the limit on runs has columns of its own. */
export type Policy = Omit<WorkspaceSettings, 'concurrency'>;

/** A workspace's settings as stored, completed by what holds where nothing was said. */
export const policyOf = (stored: unknown): Policy => ({ ...DEFAULT_SETTINGS, ...(stored as Partial<Policy>) });

/** A workspace's policy; the defaults for one that is gone. */
export async function policyIn(db: Db, workspaceId: string): Promise<Policy> {
  const row = await db.workspace.findUnique({ where: { id: workspaceId }, select: { settings: true } });
  return policyOf(row?.settings);
}

/** How long a new password of this person must be: the strictest of their workspaces counts. */
export async function shortestPasswordOf(db: Db, userId: string): Promise<number> {
  const rows = await db.workspace.findMany({ where: { members: { some: { userId } } }, select: { settings: true } });
  return Math.max(SHORTEST_PASSWORD, ...rows.map(({ settings }) => policyOf(settings).passwordMinLength));
}

/** Whether somebody with this address may join, whatever they come by. */
export const admits = ({ allowedDomains }: Policy, email: string): boolean =>
  allowedDomains.length === 0 || allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));

/** Refuses, with a 400 on `field`, an address that may not join. */
export async function requireAdmitted(db: Db, workspaceId: string, email: string, field: string): Promise<void> {
  if (admits(await policyIn(db, workspaceId), email)) return;
  throw invalidField(field, 'is not of a domain whose people may join this workspace');
}
