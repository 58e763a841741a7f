import { z } from 'zod';
import { type SessionResponse, ListSessionsResponse } from '@/contract/access/device-session';
import { PaginationQuery } from '@/contract/text';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { forbiddenProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { hasAccountAuthority, requireMemberAuthority } from '@/server/people/access/authority';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { endLoginSession, endUserSessions } from '@/server/people/auth/session';
import { findSessionExpiries } from '@/server/people/auth/session-life';
import { listServiceProviders } from '@/server/people/sso/provider';
import type { DatabaseClient } from '@/server/platform/db/client';

const SESSION_TAG = 'Sessions';
const SESSIONS_PATH = '/api/sessions';

const listSessionsOperation = defineOperation({
  id: 'sessions.list',
  method: 'GET',
  path: SESSIONS_PATH,
  summary: 'List my sessions',
  tag: SESSION_TAG,
  access: signedInAccess(),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListSessionsResponse),
  run: ({ db, person }, { query }) => readSessionPage(db, { userId: person.userId }, query, person.sessionId),
});

const endSessionOperation = defineOperation({
  id: 'sessions.delete',
  method: 'DELETE',
  path: `${SESSIONS_PATH}/{id}`,
  summary: 'End one of my sessions',
  description: 'Its tokens stop working at once.',
  tag: SESSION_TAG,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  params: z.strictObject({ id: z.string() }),
  async run({ db, person, note }, { params: { id } }) {
    note({ resourceId: id });
    await requireLiveSession(db, { userId: person.userId }, id);
    await endLoginSession(db, id);
  },
});

const endOtherSessionsOperation = defineOperation({
  id: 'sessions.deleteOthers',
  method: 'DELETE',
  path: SESSIONS_PATH,
  summary: 'End all my other sessions',
  tag: SESSION_TAG,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  async run({ db, person }) {
    await endUserSessions(db, person.userId, person.sessionId);
  },
});

const SessionMemberParams = z.strictObject({ id: z.string(), userId: z.string() });
/** The user's own sessions are not visible to administrators of a single workspace. */
const VISIBLE_SESSIONS_NOTE =
  'Only of members who may no more than the caller. Of those who belong to workspaces that the caller does not administer: ' +
  'the logins through this workspace’s own provider.';
const MEMBER_SESSIONS_PATH = '/api/workspaces/{id}/members/{userId}/sessions';

const listMemberSessionsOperation = defineOperation({
  id: 'sessions.listOfMember',
  method: 'GET',
  path: MEMBER_SESSIONS_PATH,
  summary: 'List a member’s sessions',
  description: VISIBLE_SESSIONS_NOTE,
  tag: SESSION_TAG,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: SessionMemberParams,
  query: PaginationQuery,
  reply: jsonReply(ListSessionsResponse),
  async run({ db, caller }, { params: { userId }, query }) {
    return readSessionPage(db, await visibleMemberSessions(db, caller, userId), query, caller.sessionId);
  },
});

const endMemberSessionsOperation = defineOperation({
  id: 'sessions.deleteOfMember',
  method: 'DELETE',
  path: MEMBER_SESSIONS_PATH,
  summary: 'End all sessions of a member',
  description: VISIBLE_SESSIONS_NOTE,
  tag: SESSION_TAG,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: SessionMemberParams,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    if (userId === caller.userId) throw forbiddenProblem('End your own sessions at /api/sessions.');
    const where = { endedAt: null, ...(await visibleMemberSessions(db, caller, userId)) };
    await db.session.updateMany({ where, data: { endedAt: new Date() } });
  },
});

const endMemberSessionOperation = defineOperation({
  id: 'sessions.deleteOneOfMember',
  method: 'DELETE',
  path: `${MEMBER_SESSIONS_PATH}/{sessionId}`,
  summary: 'End one session of a member',
  description: VISIBLE_SESSIONS_NOTE,
  tag: SESSION_TAG,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: SessionMemberParams.extend({ sessionId: z.string() }),
  async run({ db, caller, note }, { params: { userId, sessionId } }) {
    note({ resourceId: userId, metadata: { sessionId } });
    await requireLiveSession(db, await visibleMemberSessions(db, caller, userId), sessionId);
    await endLoginSession(db, sessionId);
  },
});

type PersonSessionFilter = Prisma.SessionWhereInput & { userId: string };

async function requireLiveSession(db: DatabaseClient, of: PersonSessionFilter, id: string): Promise<void> {
  const session = await db.session.findFirst({ where: { ...of, id } });
  if (!session || !(await findSessionExpiries(db, of.userId)).has(id)) throw notFoundProblem('The session');
}

/** The sessions of a member that the caller may see and end. */
async function visibleMemberSessions(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  userId: string,
): Promise<PersonSessionFilter> {
  await requireMemberAuthority(db, caller, userId);
  return (await hasAccountAuthority(db, caller, userId)) ? { userId } : { userId, workspaceId: caller.workspaceId };
}

async function readSessionPage(
  db: DatabaseClient,
  of: PersonSessionFilter,
  { limit, offset }: { limit: number; offset: number },
  currentId: string | null,
) {
  const ends = await findSessionExpiries(db, of.userId);
  const where = { ...of, id: { in: [...ends.keys()] } };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.session.findMany({ where, orderBy, take: limit, skip: offset }),
    db.session.count({ where }),
  ]);
  const names = await ssoProviderNames(
    db,
    rows.flatMap(({ ssoProviderId }) => ssoProviderId ?? []),
  );
  const data = rows.map((row): z.input<typeof SessionResponse> => ({
    id: row.id,
    isCurrent: row.id === currentId,
    method: row.method === 'sso' ? 'sso' : 'password',
    provider: names.get(row.ssoProviderId ?? '') ?? null,
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: (ends.get(row.id) ?? row.expiresAt).toISOString(),
  }));
  return { data, total, limit, offset };
}

async function ssoProviderNames(db: DatabaseClient, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.ssoProvider.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map([...rows, ...listServiceProviders()].map(({ id, name }) => [id, name]));
}

export const sessionOperations = [
  listSessionsOperation,
  endSessionOperation,
  endOtherSessionsOperation,
  listMemberSessionsOperation,
  endMemberSessionsOperation,
  endMemberSessionOperation,
];
