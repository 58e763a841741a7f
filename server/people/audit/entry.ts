import type { AuditCategory } from '@/contract/access/security';

/** An audit entry before it is stored. */
export interface AuditRow {
  id: string;
  workspaceId: string | null;
  category: AuditCategory;
  action: string;
  result: 'success' | 'failure' | 'denied';
  actor: object;
  resource: object;
  metadata: object;
}

/** The client of a login; shown in the list of sessions and in the audit log. */
export interface ClientInfo {
  ipAddress: string;
  userAgent: string;
  requestId: string;
}
