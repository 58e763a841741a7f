import type { WorkspaceTier } from '@/contract/tier';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import type { WorkspaceCaller, AuthenticatedPerson } from '@/server/people/access/caller';
import { membershipCountsSql } from '@/server/people/access/membership';
import { heldRolesSql, combineRoleRights, type HeldRole } from '@/server/people/access/permissions';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { isSessionUseOldSql, isSessionOpenSql } from './session-life';
import { readAccessToken, SESSION_LIFETIME_SECONDS } from './tokens';
import type { ClientInfo } from '@/server/people/audit/entry';

/** The step that a user must take about a second factor before anything else: set one up, or show the existing one. */
export type PendingFactor = 'enrol' | 'prove' | null;

/** An open session or valid key: its person, and the caller in the requested workspace (null: no member). */
export interface IdentifiedCaller {
  person: AuthenticatedPerson;
  caller: WorkspaceCaller | null;
  /** The workspace requires its own sign-in, and this session began otherwise. Owners are exempt. */
  needsSso: boolean;
  pendingFactor: PendingFactor;
  /** The stored time of the session's last use is old. */
  isUseOld: boolean;
}

// Read for every call, so that logout, removal and role changes take effect at the next call in every process. Calls of
// the same moment are looked up together, by a statement that begins after all of them have arrived. The arrays are
// sub-selects, so that the planner does not see their lengths: the plan for one call would always look cheaper than the
// generic one, and each call would be planned, which takes five times as long as its execution.
const SESSION_CALLER_QUERY = {
  name: 'who',
  text: `
    SELECT a.place::int, u.id AS user_id, u.email, u.name, s.workspace_id AS only_workspace_id, m.workspace_id, m.tier, m.needs_sso, r.held,
      ${isSessionUseOldSql('s')} AS is_use_old,
      CASE
        WHEN s.factor_at IS NOT NULL OR p.vouches THEN NULL
        WHEN u.mfa_enabled_at IS NULL AND f.is_required THEN 'enrol'
        WHEN u.mfa_enabled_at IS NOT NULL AND (s.workspace_id IS NULL OR f.is_required) THEN 'prove'
      END AS pending_factor
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS a(session_id, workspace_id, place)
    JOIN session s ON s.id = a.session_id
    JOIN app_user u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT config->>'isMfaTrusted' = 'true' AS vouches FROM sso_provider
      WHERE id = s.sso_provider_id AND workspace_id = s.workspace_id
    ) p ON true
    LEFT JOIN LATERAL (
      SELECT true AS is_required FROM member x JOIN workspace y ON y.id = x.workspace_id
      WHERE s.factor_at IS NULL AND x.user_id = u.id AND y.settings->>'mfaPolicy' = 'required'
        AND ${membershipCountsSql('x', 's')} LIMIT 1
    ) f ON true
    LEFT JOIN LATERAL (
      SELECT x.workspace_id, w.tier, w.settings->>'ssoRequired' = 'true' AND s.workspace_id IS NULL
        AND NOT (s.method = 'sso' AND $3) AND NOT EXISTS (
        SELECT FROM role_assignment o
        WHERE o.workspace_id = w.id AND o.user_id = u.id AND o.role_id = '${systemRoleId('owner')}' AND o.resource_type IS NULL
      ) AS needs_sso
      FROM member x JOIN workspace w ON w.id = x.workspace_id
      WHERE x.user_id = u.id AND (a.workspace_id IS NULL OR x.workspace_id = a.workspace_id)
        AND ${membershipCountsSql('x', 's')}
      ORDER BY needs_sso, x.joined_at, x.workspace_id LIMIT 1
    ) m ON true
    LEFT JOIN LATERAL (${heldRolesSql('m.workspace_id', 'u.id')}) r ON true
    WHERE ${isSessionOpenSql('s')}`,
};

interface SessionCallerRow {
  place: number;
  user_id: string;
  email: string;
  name: string;
  only_workspace_id: string | null;
  workspace_id: string | null;
  tier: WorkspaceTier | null;
  needs_sso: boolean | null;
  pending_factor: PendingFactor;
  is_use_old: boolean;
  held: HeldRole[] | null;
}

/**
 * Whether a sign-in through a provider of the whole service counts as the workspace's own: true where one company runs
 * the service for itself. In `saas` mode any user may have an account at such a provider.
 */
export const isServiceSignInTrusted = (): boolean => getRuntime().env.deploymentEnv !== 'saas';

interface SessionCallerRequest {
  sessionId: string;
  workspaceId: string | null;
}

const lookUpSessionCaller = groupCommit<SessionCallerRequest, SessionCallerRow | undefined>(async (requests) => {
  const sessionIds = requests.map(({ sessionId }) => sessionId);
  const workspaceIds = requests.map(({ workspaceId }) => workspaceId);
  const values = [sessionIds, workspaceIds, isServiceSignInTrusted()];
  const { rows } = await databasePool().query<SessionCallerRow>({ values, ...SESSION_CALLER_QUERY });
  const found = new Map(rows.map((row) => [row.place, row]));
  return requests.map((_, index) => found.get(index + 1));
});

/**
 * The caller of a session in `workspaceId` (null: the person's first workspace). Returns null if the session has ended
 * or is unknown.
 */
export async function findSessionCaller(
  sessionId: string,
  workspaceId: string | null = null,
): Promise<IdentifiedCaller | null> {
  const row = await lookUpSessionCaller({ sessionId, workspaceId });
  if (!row) return null;
  const person: AuthenticatedPerson = {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    sessionId,
    apiKeyId: null,
    onlyWorkspaceId: row.only_workspace_id,
  };
  const needsSso = row.needs_sso ?? false;
  const { workspace_id: inWorkspace, tier } = row;
  const caller =
    inWorkspace === null || tier === null || needsSso
      ? null
      : { workspaceId: inWorkspace, tier, ...person, ...combineRoleRights(row.held ?? []) };
  return { person, caller, needsSso, pendingFactor: row.pending_factor, isUseOld: row.is_use_old };
}

/** For transports without a workspace (sockets): the person of an access token whose session is open, else null. */
export async function authenticateAccessToken(
  token: string,
): Promise<{ userId: string; sessionId: string; expiresAt: Date } | null> {
  const claims = await readAccessToken(token);
  if (!claims || !(await isSessionOpen(claims.sessionId, claims.userId))) return null;
  return { userId: claims.userId, sessionId: claims.sessionId, expiresAt: claims.expiresAt };
}

/** Whether the session is open; with `userId`, also that it belongs to that person. */
export async function isSessionOpen(sessionId: string, userId?: string): Promise<boolean> {
  const standing = await findSessionCaller(sessionId);
  return standing !== null && (userId === undefined || standing.person.userId === userId);
}

const newSessionExpiry = () => new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000);

/** The sign-in provider that a session began with, if any. */
export interface SessionSsoOrigin {
  providerId: string;
  /** The provider's workspace; null for service-wide providers. */
  workspaceId: string | null;
  /** Identifies the login at a SAML provider when it ends. */
  samlSubject?: { nameId: string; nameIdFormat: string; sessionIndex: string | null };
}

/** Begins a session and returns its id. `factorAt`: the time at which a second factor was shown for it. */
export async function openLoginSession(
  db: DatabaseClient,
  userId: string,
  { ipAddress, userAgent }: ClientInfo,
  { sso, factorAt }: { sso?: SessionSsoOrigin; factorAt?: Date } = {},
): Promise<string> {
  const id = generateId('ses');
  const origin = sso
    ? { method: 'sso', ssoProviderId: sso.providerId, workspaceId: sso.workspaceId, samlSubject: sso.samlSubject }
    : {};
  await db.session.create({
    data: { id, userId, expiresAt: newSessionExpiry(), ipAddress, userAgent, factorAt, ...origin },
  });
  await endSurplusSessions(db, userId, sso?.workspaceId ?? null);
  return id;
}

/** Maximum number of open sessions of a user: of their own account, and of the provider of each workspace. */
export const MAX_OPEN_SESSIONS = 200;

/**
 * Ends the least recently used sessions. Sessions of one provider never displace others. ARRAY: the list is computed
 * once. A join may compute it for every row, if the table was never analyzed.
 */
const endSurplusSessions = (db: DatabaseClient, userId: string, workspaceId: string | null) => db.$executeRaw`
  UPDATE session SET ended_at = now() WHERE id = ANY(ARRAY(
    SELECT id FROM session
    WHERE user_id = ${userId} AND workspace_id IS NOT DISTINCT FROM ${workspaceId} AND ended_at IS NULL
    ORDER BY last_used_at DESC, id DESC OFFSET ${MAX_OPEN_SESSIONS}::int
  ))`;

export const prolongSession = (db: DatabaseClient, sessionId: string) =>
  db.session.update({ where: { id: sessionId }, data: { expiresAt: newSessionExpiry(), lastUsedAt: new Date() } });

/** Ends every session of a user except `except`. */
export const endUserSessions = (db: DatabaseClient, userId: string, except: string | null = null) =>
  db.session.updateMany({
    where: { userId, endedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { endedAt: new Date() },
  });

/** Ends a session and all its tokens, at once and in every process. */
export const endLoginSession = (db: DatabaseClient, sessionId: string) =>
  db.session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: new Date() } });
