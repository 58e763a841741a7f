import { z } from 'zod';
import { type Session, SessionPage } from '@/contract/access/device';
import { PageQuery } from '@/contract/text';
import type { Prisma } from '@/generated/prisma/client';
import { memberAccess, operation, signedInAccess } from '@/server/api/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { forbidden, notFound } from '@/server/errors/problem';
import { hasWholeAuthority, requireAuthority } from '@/server/access/authority';
import type { Caller } from '@/server/access/caller';
import { endSession, endSessionsOf } from '@/server/auth/session';
import { livingSessions } from '@/server/auth/session-life';
import { serviceProviders } from '@/server/sso/provider';
import type { Db } from '@/server/db/client';

const tag = 'Sessions';
const path = '/api/sessions';

const list = operation({
  id: 'sessions.list',
  method: 'GET',
  path,
  summary: 'List my sessions',
  tag,
  access: signedInAccess(),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(SessionPage),
  run: ({ db, person }, { query }) => pageOf(db, { userId: person.userId }, query, person.sessionId),
});

const end = operation({
  id: 'sessions.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'End one of my sessions',
  description: 'Its tokens stop working at once.',
  tag,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  params: z.strictObject({ id: z.string() }),
  async run({ db, person, note }, { params: { id } }) {
    note({ resourceId: id });
    await requireLiving(db, { userId: person.userId }, id);
    await endSession(db, id);
  },
});

const endOthers = operation({
  id: 'sessions.deleteOthers',
  method: 'DELETE',
  path,
  summary: 'End all my other sessions',
  tag,
  access: signedInAccess(),
  effect: writeEffect('authentication'),
  async run({ db, person }) {
    await endSessionsOf(db, person.userId, person.sessionId);
  },
});

const Member = z.strictObject({ id: z.string(), userId: z.string() });
/** The user's own sessions are not visible to administrators of a single workspace. */
const LIMITS =
  'Only of members who may no more than the caller. Of those who belong to workspaces that the caller does not administer: ' +
  'the logins through this workspace’s own provider.';
const ofMember = '/api/workspaces/{id}/members/{userId}/sessions';

const listOfMember = operation({
  id: 'sessions.listOfMember',
  method: 'GET',
  path: ofMember,
  summary: 'List a member’s sessions',
  description: LIMITS,
  tag,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: readEffect(),
  params: Member,
  query: PageQuery,
  reply: jsonReply(SessionPage),
  async run({ db, caller }, { params: { userId }, query }) {
    return pageOf(db, await within(db, caller, userId), query, caller.sessionId);
  },
});

const endOfMember = operation({
  id: 'sessions.deleteOfMember',
  method: 'DELETE',
  path: ofMember,
  summary: 'End all sessions of a member',
  description: LIMITS,
  tag,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: Member,
  async run({ db, caller, note }, { params: { userId } }) {
    note({ resourceId: userId });
    if (userId === caller.userId) throw forbidden('End your own sessions at /api/sessions.');
    const where = { endedAt: null, ...(await within(db, caller, userId)) };
    await db.session.updateMany({ where, data: { endedAt: new Date() } });
  },
});

const endOneOfMember = operation({
  id: 'sessions.deleteOneOfMember',
  method: 'DELETE',
  path: `${ofMember}/{sessionId}`,
  summary: 'End one session of a member',
  description: LIMITS,
  tag,
  access: memberAccess('member', 'update', { workspaceParam: 'id' }),
  effect: writeEffect('configuration_change'),
  params: Member.extend({ sessionId: z.string() }),
  async run({ db, caller, note }, { params: { userId, sessionId } }) {
    note({ resourceId: userId, metadata: { sessionId } });
    await requireLiving(db, await within(db, caller, userId), sessionId);
    await endSession(db, sessionId);
  },
});

type OfPerson = Prisma.SessionWhereInput & { userId: string };

async function requireLiving(db: Db, of: OfPerson, id: string): Promise<void> {
  const session = await db.session.findFirst({ where: { ...of, id } });
  if (!session || !(await livingSessions(db, of.userId)).has(id)) throw notFound('The session');
}

/** The sessions of a member that the caller may see and end. */
async function within(db: Db, caller: Caller, userId: string): Promise<OfPerson> {
  await requireAuthority(db, caller, userId);
  return (await hasWholeAuthority(db, caller, userId)) ? { userId } : { userId, workspaceId: caller.workspaceId };
}

async function pageOf(
  db: Db,
  of: OfPerson,
  { limit, offset }: { limit: number; offset: number },
  currentId: string | null,
) {
  const ends = await livingSessions(db, of.userId);
  const where = { ...of, id: { in: [...ends.keys()] } };
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.session.findMany({ where, orderBy, take: limit, skip: offset }),
    db.session.count({ where }),
  ]);
  const names = await providerNames(
    db,
    rows.flatMap(({ ssoProviderId }) => ssoProviderId ?? []),
  );
  const data = rows.map((row): z.input<typeof Session> => ({
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

async function providerNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.ssoProvider.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map([...rows, ...serviceProviders()].map(({ id, name }) => [id, name]));
}

export const sessions = [list, end, endOthers, listOfMember, endOfMember, endOneOfMember];
