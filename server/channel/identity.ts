import { callerFromKey } from '@/server/auth/api-key';
import { callerUsingKey } from '@/server/auth/last-use';
import { browserSession } from '@/server/auth/browser-session';
import type { Caller } from '@/server/access/caller';
import { can } from '@/server/access/conditions';
import { findSubjects } from '@/server/access/subjects';
import { authenticate, callerFromSession, type Standing } from '@/server/auth/session';
import { activeSessions } from '@/server/auth/session-life';
import type { CallHeaders } from '@/server/client-address';

/** The person of a connection. `expiresAt` null: valid as long as the session or key. */
export interface Identity {
  userId: string;
  expiresAt: Date | null;
  by: { kind: 'session'; sessionId: string } | { kind: 'key'; key: string };
}

/** The person of an access token or API key, or null. */
export async function fromToken(token: string): Promise<Identity | null> {
  if (token.startsWith('wk_')) {
    const standing = await callerUsingKey(token);
    if (!standing) return null;
    return { userId: standing.person.userId, expiresAt: standing.key.expiresAt, by: { kind: 'key', key: token } };
  }
  const session = await authenticate(token);
  if (!session) return null;
  const { userId, sessionId, expiresAt } = session;
  return { userId, expiresAt, by: { kind: 'session', sessionId } };
}

/** The person whose browser sent these headers, or null; null also for requests that a foreign page caused. */
export async function fromBrowser(headers: CallHeaders): Promise<Identity | null> {
  const sessionId = await browserSession(headers, 'GET');
  const standing = sessionId ? await callerFromSession(sessionId) : null;
  if (!sessionId || !standing) return null;
  return { userId: standing.person.userId, expiresAt: null, by: { kind: 'session', sessionId } };
}

/** The identities that are no longer valid. */
export async function revoked(identities: readonly Identity[]): Promise<Set<Identity>> {
  const sessionIds = new Set(identities.flatMap(({ by }) => (by.kind === 'session' ? [by.sessionId] : [])));
  const keys = new Set(identities.flatMap(({ by }) => (by.kind === 'key' ? [by.key] : [])));
  const alive = await activeSessions([...sessionIds]);
  for (const key of keys) if (await callerFromKey(key)) alive.add(key);
  const now = new Date();
  const isOver = ({ by, expiresAt }: Identity) =>
    (expiresAt !== null && expiresAt <= now) || !alive.has(by.kind === 'session' ? by.sessionId : by.key);
  return new Set(identities.filter(isOver));
}

/** Delegates to the checks of every call: roles, scopes, enforced sign-in, a missing second factor. */
async function callerIn({ by }: Identity, workspaceId: string): Promise<Caller | null> {
  const standing: Standing | null =
    by.kind === 'session' ? await callerFromSession(by.sessionId, workspaceId) : await callerFromKey(by.key);
  if (!standing || standing.pendingFactor || standing.needsSso) return null;
  return standing.caller?.workspaceId === workspaceId ? standing.caller : null;
}

/**
 * Each person as a caller who may read this execution or workflow, for many at once, with the current permissions; null: they may not.
 * Answers in the order of the requests.
 */
export async function readersOf(
  resource: 'execution' | 'workflow',
  requests: readonly { identity: Identity; id: string }[],
): Promise<(Caller | null)[]> {
  const subjects = await findSubjects(
    resource,
    requests.map(({ id }) => id),
  );
  const callers = new Map<string, Promise<Caller | null>>();
  const callerOf = (identity: Identity, workspaceId: string) => {
    const key = `${identity.by.kind === 'session' ? identity.by.sessionId : identity.by.key} ${workspaceId}`;
    const caller = callers.get(key) ?? callerIn(identity, workspaceId);
    callers.set(key, caller);
    return caller;
  };
  return Promise.all(
    requests.map(async ({ identity, id }) => {
      const subject = subjects.get(id);
      const caller = subject ? await callerOf(identity, subject.workspaceId) : null;
      return subject !== undefined && caller !== null && can(caller, 'read', resource, subject) ? caller : null;
    }),
  );
}
