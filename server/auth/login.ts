import type { LoginTokens } from '@/contract/session';
import { unauthorized } from '../api/problem';
import { prisma, type Db } from '../db/client';
import { personEntries, record } from './audit';
import { isPassword } from './password';
import { endSession, openSession, prolongSession, type ClientFacts } from './session';
import { ACCESS_SECONDS, hashOfToken, issueAccessToken, newRefreshToken } from './tokens';

export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
}

/**
 * Checks email and password and begins a session. Unknown people and wrong passwords answer alike, in body and time:
 * a Problem UNAUTHORIZED. Both outcomes are audited.
 */
export async function login(email: string, password: string, client: ClientFacts): Promise<SignedIn> {
  const address = email.trim().toLowerCase();
  const user = await prisma().user.findUnique({ where: { email: address } });
  const isRight = await isPassword(password, user?.passwordHash ?? null);
  const who = { userId: user?.id ?? null, email: address };
  const entry = { category: 'authentication', action: 'auth.login' } as const;
  if (!user || !isRight) {
    await record(prisma(), await personEntries(prisma(), who, { ...entry, result: 'failure' }, client));
    throw unauthorized('Email or password is wrong.');
  }
  return prisma().$transaction(async (db) => {
    const sessionId = await openSession(db, user.id, client);
    await record(db, await personEntries(db, who, { ...entry, result: 'success' }, client));
    return { userId: user.id, email: user.email, name: user.name, sessionId };
  });
}

/** A fresh pair of tokens for a session; the access token speaks for the person's first workspace. */
export async function issueTokens(db: Db, sessionId: string, userId: string): Promise<LoginTokens> {
  const first = await db.member.findFirst({
    where: { userId },
    orderBy: [{ joinedAt: 'asc' }, { workspaceId: 'asc' }],
  });
  const refreshToken = newRefreshToken();
  await db.refreshToken.create({ data: { hash: hashOfToken(refreshToken), sessionId } });
  const accessToken = await issueAccessToken({ userId, sessionId, workspaceId: first?.workspaceId ?? null });
  return { accessToken, refreshToken, expiresIn: ACCESS_SECONDS };
}

/**
 * Trades a refresh token for a new pair. One that was used before is in two hands: its whole session ends. Throws a
 * Problem UNAUTHORIZED for any token that is not good.
 */
export async function refresh(refreshToken: string, client: ClientFacts): Promise<LoginTokens> {
  const tokens = await prisma().$transaction(async (db) => {
    const stored = await db.refreshToken.findUnique({
      where: { hash: hashOfToken(refreshToken) },
      include: { session: { include: { user: true } } },
    });
    if (!stored) return null;
    const { session } = stored;
    const who = { userId: session.userId, email: session.user.email };
    const entry = { category: 'authentication', action: 'auth.refresh' } as const;
    // The row's lock decides between two that come at once; the later one counts as reuse.
    const { count } = await db.refreshToken.updateMany({
      where: { hash: stored.hash, usedAt: null },
      data: { usedAt: new Date() },
    });
    if (count === 0) await endSession(db, session.id);
    if (count === 0 || session.endedAt || session.expiresAt <= new Date()) {
      const reason = count === 0 ? 'refresh token used twice' : 'session is over';
      await record(db, await personEntries(db, who, { ...entry, result: 'failure', reason }, client));
      return null;
    }
    await prolongSession(db, session.id);
    await record(db, await personEntries(db, who, { ...entry, result: 'success' }, client));
    return issueTokens(db, session.id, session.userId);
  });
  if (!tokens) throw unauthorized('The refresh token is not valid.');
  return tokens;
}
