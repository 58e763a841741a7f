import type { ScopedPermission } from '@/contract/access/security';
import type { WorkspaceTier } from '@/contract/tier';

/** The authenticated caller, without a workspace. */
export interface AuthenticatedPerson {
  userId: string;
  email: string;
  name: string;
  /** The login session. Null: the call has an API key. */
  sessionId: string | null;
  apiKeyId: string | null;
  /**
   * Set for API keys, and for sessions of a workspace's own sign-in provider: they reach this workspace only, and
   * nothing of the person's account.
   */
  onlyWorkspaceId: string | null;
}

/** The authenticated caller, their workspace and their permissions there. Created for every call. */
export interface WorkspaceCaller extends AuthenticatedPerson {
  workspaceId: string;
  tier: WorkspaceTier;
  /** Names of the roles held in the whole workspace: system roles first, strongest first. */
  roles: string[];
  permissions: ScopedPermission[];
}
