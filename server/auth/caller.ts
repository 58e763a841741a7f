import type { Permission } from '@/contract/security';
import type { Tier } from '@/contract/workspace';

/** Who is calling, in no workspace in particular. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  /** Null for API keys. */
  sessionId: string | null;
  apiKeyId: string | null;
  /**
   * Set for API keys, and for sessions that a workspace's own provider vouched for: they reach this workspace alone,
   * and nothing of the person's account.
   */
  onlyWorkspaceId: string | null;
}

/** Who is calling, in which workspace, and what they may do there. Made anew for every call. */
export interface Caller extends Person {
  workspaceId: string;
  tier: Tier;
  /** Names of the roles held in the whole workspace, system roles first, the strongest ahead. */
  roles: string[];
  permissions: Permission[];
}
