import type { AuditCategory, AuditResult } from '@/contract/access/security';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { countingMemberships } from '@/server/people/access/membership';
import type { AuditRow, ClientInfo } from './entry';

/** Appends entries in their order. */
export const appendAuditEntries = (db: DatabaseClient, rows: AuditRow[]) => db.auditEntry.createMany({ data: rows });

/**
 * The entries of an event that concerns a user instead of a workspace, such as a login: one for each workspace whose
 * membership they accepted, so that its administrators see it; without any, one in the service's own log. An event in a
 * session of a workspace's provider (`onlyWorkspaceId`) concerns that workspace only.
 */
export async function personAuditEntries(
  db: DatabaseClient,
  subject: { userId: string | null; email: string; onlyWorkspaceId?: string | null },
  event: { category: AuditCategory; action: string; result: AuditResult; reason?: string },
  { ipAddress, userAgent, requestId }: ClientInfo,
): Promise<AuditRow[]> {
  const workspaces = subject.onlyWorkspaceId
    ? [subject.onlyWorkspaceId]
    : await findAcceptedWorkspaces(db, subject.userId);
  return (workspaces.length > 0 ? workspaces : [null]).map((workspaceId) => ({
    id: generateOrderedId('aud'),
    workspaceId,
    category: event.category,
    action: event.action,
    result: event.result,
    actor: { type: subject.userId ? 'user' : 'anonymous', id: subject.userId, email: subject.email },
    resource: { type: 'session', id: null },
    metadata: { ipAddress, userAgent, requestId, ...(event.reason ? { reason: event.reason } : {}) },
  }));
}

async function findAcceptedWorkspaces(db: DatabaseClient, userId: string | null): Promise<string[]> {
  if (userId === null) return [];
  const where = { userId, ...countingMemberships(null) };
  const members = await db.member.findMany({ where, select: { workspaceId: true } });
  return members.map(({ workspaceId }) => workspaceId);
}
