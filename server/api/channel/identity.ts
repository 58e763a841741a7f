import { findApiKeyCaller } from '@/server/people/auth/api-key';
import { findCallerUsingKey } from '@/server/people/auth/last-use';
import { readBrowserSessionId } from '@/server/people/auth/browser-session';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { isActionAllowed } from '@/server/people/access/conditions';
import { findAccessSubjects } from '@/server/people/access/subjects';
import { authenticateAccessToken, findSessionCaller, type IdentifiedCaller } from '@/server/people/auth/session';
import { findOpenSessionIds } from '@/server/people/auth/session-life';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/** The person of a connection. `expiresAt` null: valid as long as the session or key. */
export interface ChannelIdentity {
  userId: string;
  expiresAt: Date | null;
  by: { kind: 'session'; sessionId: string } | { kind: 'key'; key: string };
}

/** The person of an access token or API key, or null. */
export async function identifyByToken(token: string): Promise<ChannelIdentity | null> {
  if (token.startsWith('wk_')) {
    const standing = await findCallerUsingKey(token);
    if (!standing) return null;
    return { userId: standing.person.userId, expiresAt: standing.key.expiresAt, by: { kind: 'key', key: token } };
  }
  const session = await authenticateAccessToken(token);
  if (!session) return null;
  const { userId, sessionId, expiresAt } = session;
  return { userId, expiresAt, by: { kind: 'session', sessionId } };
}

/** The person whose browser sent these headers, or null; null also for requests that a foreign page caused. */
export async function identifyByBrowser(headers: CallHeaders): Promise<ChannelIdentity | null> {
  const sessionId = await readBrowserSessionId(headers, 'GET');
  const standing = sessionId ? await findSessionCaller(sessionId) : null;
  if (!sessionId || !standing) return null;
  return { userId: standing.person.userId, expiresAt: null, by: { kind: 'session', sessionId } };
}

/** The identities that are no longer valid. */
export async function findRevokedIdentities(identities: readonly ChannelIdentity[]): Promise<Set<ChannelIdentity>> {
  const sessionIds = new Set(identities.flatMap(({ by }) => (by.kind === 'session' ? [by.sessionId] : [])));
  const keys = new Set(identities.flatMap(({ by }) => (by.kind === 'key' ? [by.key] : [])));
  const alive = await findOpenSessionIds([...sessionIds]);
  for (const key of keys) if (await findApiKeyCaller(key)) alive.add(key);
  const now = new Date();
  const isOver = ({ by, expiresAt }: ChannelIdentity) =>
    (expiresAt !== null && expiresAt <= now) || !alive.has(by.kind === 'session' ? by.sessionId : by.key);
  return new Set(identities.filter(isOver));
}

/** Delegates to the checks of every call: roles, scopes, enforced sign-in, a missing second factor. */
async function findWorkspaceCaller({ by }: ChannelIdentity, workspaceId: string): Promise<WorkspaceCaller | null> {
  const standing: IdentifiedCaller | null =
    by.kind === 'session' ? await findSessionCaller(by.sessionId, workspaceId) : await findApiKeyCaller(by.key);
  if (!standing || standing.pendingFactor || standing.needsSso) return null;
  return standing.caller?.workspaceId === workspaceId ? standing.caller : null;
}

/**
 * Each person as a caller who may read this execution or workflow, for many at once, with the current permissions;
 * null: they may not. Answers in the order of the requests.
 */
export async function findPermittedReaders(
  resource: 'execution' | 'workflow',
  requests: readonly { identity: ChannelIdentity; id: string }[],
): Promise<(WorkspaceCaller | null)[]> {
  const subjects = await findAccessSubjects(
    resource,
    requests.map(({ id }) => id),
  );
  const callers = new Map<string, Promise<WorkspaceCaller | null>>();
  const callerOf = (identity: ChannelIdentity, workspaceId: string) => {
    const key = `${identity.by.kind === 'session' ? identity.by.sessionId : identity.by.key} ${workspaceId}`;
    const caller = callers.get(key) ?? findWorkspaceCaller(identity, workspaceId);
    callers.set(key, caller);
    return caller;
  };
  return Promise.all(
    requests.map(async ({ identity, id }) => {
      const subject = subjects.get(id);
      const caller = subject ? await callerOf(identity, subject.workspaceId) : null;
      return subject !== undefined && caller !== null && isActionAllowed(caller, 'read', resource, subject)
        ? caller
        : null;
    }),
  );
}
