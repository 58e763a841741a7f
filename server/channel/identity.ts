import type { CallHeaders } from '../api/call-headers';
import { callerFromKey } from '../auth/api-key';
import { browserSession } from '../auth/browser-session';
import type { Caller } from '../auth/caller';
import { permits, type Subject } from '../auth/conditions';
import { authenticate, callerFromSession, type Standing } from '../auth/session';
import { stillLiving } from '../auth/session-life';
import { pool } from '../db/client';

/** Whom a connection speaks for. `expiresAt` null: as long as the session or key works. */
export interface Identity {
  userId: string;
  expiresAt: Date | null;
  by: { kind: 'session'; sessionId: string } | { kind: 'key'; key: string };
}

/** The person of an access token or API key, or null. */
export async function fromToken(token: string): Promise<Identity | null> {
  if (token.startsWith('wk_')) {
    const standing = await callerFromKey(token);
    if (!standing) return null;
    return { userId: standing.person.userId, expiresAt: standing.key.expiresAt, by: { kind: 'key', key: token } };
  }
  const found = await authenticate(token);
  if (!found) return null;
  const { userId, sessionId, expiresAt } = found;
  return { userId, expiresAt, by: { kind: 'session', sessionId } };
}

/** The person whose browser sent these headers, or null; also for requests that a foreign page caused. */
export async function fromBrowser(headers: CallHeaders): Promise<Identity | null> {
  const sessionId = await browserSession(headers);
  const standing = sessionId ? await callerFromSession(sessionId) : null;
  if (!sessionId || !standing) return null;
  return { userId: standing.person.userId, expiresAt: null, by: { kind: 'session', sessionId } };
}

/** Those of the identities that no longer work, as of now. */
export async function revoked(identities: readonly Identity[]): Promise<Set<Identity>> {
  const sessionIds = new Set(identities.flatMap(({ by }) => (by.kind === 'session' ? [by.sessionId] : [])));
  const keys = new Set(identities.flatMap(({ by }) => (by.kind === 'key' ? [by.key] : [])));
  const alive = await stillLiving([...sessionIds]);
  for (const key of keys) if (await callerFromKey(key)) alive.add(key);
  const now = new Date();
  const isOver = ({ by, expiresAt }: Identity) =>
    (expiresAt !== null && expiresAt <= now) || !alive.has(by.kind === 'session' ? by.sessionId : by.key);
  return new Set(identities.filter(isOver));
}

/** What conditions may look at, as `auth/objects` reads it for one. */
const SUBJECTS = {
  execution: {
    name: 'channel.executions',
    text: `SELECT id, workspace_id AS "workspaceId", workflow_id AS "workflowId", status, trigger,
      created_by AS "createdBy" FROM execution WHERE id = ANY($1::text[])`,
  },
  workflow: {
    name: 'channel.workflows',
    text: `SELECT id, workspace_id AS "workspaceId", name, status, created_by AS "createdBy" FROM workflow
      WHERE id = ANY($1::text[])`,
  },
};

type SubjectRow = Subject & { id: string; workspaceId: string };

/** Auth decides, as it does for every call: roles, scopes, enforced sign-in, a second factor still to be set up or shown. */
async function callerIn({ by }: Identity, workspaceId: string): Promise<Caller | null> {
  const standing: Standing | null =
    by.kind === 'session' ? await callerFromSession(by.sessionId, workspaceId) : await callerFromKey(by.key);
  if (!standing || standing.pendingFactor || standing.needsSso) return null;
  return standing.caller?.workspaceId === workspaceId ? standing.caller : null;
}

/**
 * Who may see what, for many at once and as of now: may this person read this execution or workflow, where it belongs?
 * Answers in the order asked.
 */
export async function maySee(
  resource: keyof typeof SUBJECTS,
  asked: readonly { identity: Identity; id: string }[],
): Promise<boolean[]> {
  const { rows } = await pool().query<SubjectRow>({
    ...SUBJECTS[resource],
    values: [[...new Set(asked.map(({ id }) => id))]],
  });
  const subjects = new Map(rows.map((row) => [row.id, row]));
  const callers = new Map<string, Promise<Caller | null>>();
  const callerOf = (identity: Identity, workspaceId: string) => {
    const key = `${identity.by.kind === 'session' ? identity.by.sessionId : identity.by.key} ${workspaceId}`;
    const caller = callers.get(key) ?? callerIn(identity, workspaceId);
    callers.set(key, caller);
    return caller;
  };
  return Promise.all(
    asked.map(async ({ identity, id }) => {
      const subject = subjects.get(id);
      const caller = subject ? await callerOf(identity, subject.workspaceId) : null;
      if (!subject || !caller) return false;
      return caller.permissions.some((held) => permits(held, resource, 'read', caller, subject));
    }),
  );
}
