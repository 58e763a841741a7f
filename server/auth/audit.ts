import type { AuditCategory, AuditResult } from '@/contract/security';
import type { AuditRow } from '../api/operation';
import type { Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import type { ClientFacts } from './session';

/** Appends entries in the order given. */
export const record = (db: Db, rows: AuditRow[]) => db.auditEntry.createMany({ data: rows });

/**
 * The entries of something that concerns a person rather than a workspace, such as a login: one for each workspace
 * they belong to, so that its administrators see it; for nobody in particular, one in the service's own log.
 */
export async function personEntries(
  db: Db,
  who: { userId: string | null; email: string },
  what: { category: AuditCategory; action: string; result: AuditResult; reason?: string },
  { ipAddress, userAgent, requestId }: ClientFacts,
): Promise<AuditRow[]> {
  const members = who.userId
    ? await db.member.findMany({ where: { userId: who.userId }, select: { workspaceId: true } })
    : [];
  const workspaces = members.length > 0 ? members.map(({ workspaceId }) => workspaceId) : [null];
  return workspaces.map((workspaceId) => ({
    id: newOrderedId('aud'),
    workspaceId,
    category: what.category,
    action: what.action,
    result: what.result,
    actor: { type: who.userId ? 'user' : 'anonymous', id: who.userId, email: who.email },
    resource: { type: 'session', id: null },
    metadata: { ipAddress, userAgent, requestId, ...(what.reason ? { reason: what.reason } : {}) },
  }));
}
