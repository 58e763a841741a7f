import type { Tier } from '@/contract/workspace';
import { pool, type Db } from '../db/client';
import { newId } from '../db/ids';
import type { Caller, Person } from './caller';
import { rightsOf } from './permissions';
import { readAccessToken, SESSION_SECONDS } from './tokens';

/** Where a login came from; shown in the list of sessions and in the audit log. */
export interface ClientFacts {
  ipAddress: string;
  userAgent: string;
  requestId: string;
}

/** A living session: its person, and the caller they are in the asked workspace (null: not a member). */
export interface Standing {
  person: Person;
  caller: Caller | null;
}

// One statement a call, so that logout, removal and a change of role are seen by the next call in every process.
const WHO = {
  name: 'who',
  text: `
    SELECT u.id AS user_id, u.email, u.name, m.workspace_id, w.tier, r.role_ids
    FROM session s
    JOIN app_user u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT workspace_id FROM member
      WHERE user_id = u.id AND ($2::text IS NULL OR workspace_id = $2)
      ORDER BY joined_at, workspace_id LIMIT 1
    ) m ON true
    LEFT JOIN workspace w ON w.id = m.workspace_id
    LEFT JOIN LATERAL (
      SELECT array_agg(a.role_id) AS role_ids FROM role_assignment a
      WHERE a.workspace_id = m.workspace_id AND a.user_id = u.id AND a.resource_type IS NULL
    ) r ON true
    WHERE s.id = $1 AND s.ended_at IS NULL AND s.expires_at > now()`,
};

interface WhoRow {
  user_id: string;
  email: string;
  name: string;
  workspace_id: string | null;
  tier: Tier | null;
  role_ids: string[] | null;
}

/**
 * Who a session stands for, in `workspaceId` (null: the person's first workspace). Answers null when the session is
 * over or unknown.
 */
export async function callerFromSession(sessionId: string, workspaceId: string | null = null): Promise<Standing | null> {
  const { rows } = await pool().query<WhoRow>({ ...WHO, values: [sessionId, workspaceId] });
  const [row] = rows;
  if (!row) return null;
  const person: Person = { userId: row.user_id, email: row.email, name: row.name, sessionId, apiKeyId: null };
  if (row.workspace_id === null || row.tier === null) return { person, caller: null };
  const rights = rightsOf(row.role_ids ?? []);
  return { person, caller: { ...person, workspaceId: row.workspace_id, tier: row.tier, ...rights } };
}

/** For doors without a workspace (sockets): the person of an access token whose session lives, else null. */
export async function authenticate(
  token: string,
): Promise<{ userId: string; sessionId: string; expiresAt: Date } | null> {
  const claims = await readAccessToken(token);
  if (!claims || !(await isSessionAlive(claims.sessionId, claims.userId))) return null;
  return { userId: claims.userId, sessionId: claims.sessionId, expiresAt: claims.expiresAt };
}

/** Whether the session is neither ended nor over; with `userId`, also that it is theirs. */
export async function isSessionAlive(sessionId: string, userId?: string): Promise<boolean> {
  const standing = await callerFromSession(sessionId);
  return standing !== null && (userId === undefined || standing.person.userId === userId);
}

const sessionEnd = () => new Date(Date.now() + SESSION_SECONDS * 1000);

/** Begins a session and answers its id. */
export async function openSession(db: Db, userId: string, { ipAddress, userAgent }: ClientFacts): Promise<string> {
  const id = newId('ses');
  await db.session.create({ data: { id, userId, expiresAt: sessionEnd(), ipAddress, userAgent } });
  return id;
}

export const prolongSession = (db: Db, sessionId: string) =>
  db.session.update({ where: { id: sessionId }, data: { expiresAt: sessionEnd() } });

/** Ends a session and every token of it, at once and everywhere. */
export const endSession = (db: Db, sessionId: string) =>
  db.session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: new Date() } });
