import type { Permission } from '@/contract/access/security';
import type { Tier } from '@/contract/tier';

/** The authenticated caller, without a workspace. */
export interface Person {
  userId: string;
  email: string;
  name: string;
  /** Null for API keys. */
  sessionId: string | null;
  apiKeyId: string | null;
  /**
   * Set for API keys, and for sessions of a workspace's own sign-in provider: they reach this workspace only, and
   * nothing of the person's account.
   */
  onlyWorkspaceId: string | null;
}

/** The authenticated caller, their workspace and their permissions there. Created for every call. */
export interface Caller extends Person {
  workspaceId: string;
  tier: Tier;
  /** Names of the roles held in the whole workspace: system roles first, strongest first. */
  roles: string[];
  permissions: Permission[];
}
