import type { LoginTokens } from '@/contract/access/session';
import type { AuditResult } from '@/contract/access/security';
import { forbidden, unauthorized, Problem } from '@/server/errors/problem';
import { prisma, type Db } from '@/server/db/client';
import { personEntries, record } from '@/server/audit/record';
import { countingFor } from '@/server/access/membership';
import { requireNormalOperation } from '@/server/maintenance';
import { useCode } from './mfa';
import { hashPassword, isOutdated, isPassword } from './password';
import { accountWith } from './people';
import { systemRoleId } from '@/server/db/system-role-id';
import { recordRefusals } from '@/server/audit/refusals';
import { endSession, isServiceSignInOwn, openSession, prolongSession } from './session';
import { livingSessions } from './session-life';
import { countFailure, countSuccess, requireUnblocked } from './throttle';
import { ACCESS_SECONDS, hashOfToken, issueAccessToken, newRefreshToken } from './tokens';
import type { ClientFacts } from '@/server/audit/entry';
import type { CallHeaders } from '@/server/client-address';

export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
}

/**
 * Checks email, password and, if set up, the second factor (`mfaCode`: of the authenticator, or a backup code), and
 * begins a session. Unknown people and wrong passwords get the same answer in the same time. Throws a Problem:
 * 503 in maintenance, UNAUTHORIZED (on the field `mfaCode` if only that is missing or wrong), RATE_LIMITED after too many failures,
 * FORBIDDEN if all of the person's workspaces require single sign-on. Every outcome is audited.
 */
export async function login(
  email: string,
  password: string,
  client: ClientFacts & { headers: CallHeaders },
  mfaCode: string | null = null,
): Promise<SignedIn> {
  // Here, because browsers sign in by another way than the operation: before the database refuses the session.
  requireNormalOperation();
  const address = email.trim().toLowerCase();
  const claim = { email: address, ipAddress: client.ipAddress, headers: client.headers };
  const user = await accountWith(prisma(), address);
  const subject = { userId: user?.id ?? null, email: address };
  const entry = { category: 'authentication', action: 'auth.login' } as const;
  const fail = async (problem: Problem, result: AuditResult, reason: string): Promise<never> => {
    await recordRefusals(await personEntries(prisma(), subject, { ...entry, result, reason }, client));
    throw problem;
  };
  const refuseIfBlocked = () =>
    requireUnblocked(claim).catch((error: unknown) =>
      error instanceof Problem ? fail(error, 'denied', 'too many failed attempts') : Promise.reject(error),
    );

  await refuseIfBlocked();
  const isRight = await isPassword(password, user?.passwordHash ?? null);
  const refuse = async () => {
    await countFailure(claim);
    return fail(unauthorized('Email or password is wrong.'), 'failure', 'wrong email or password');
  };
  if (!user || !isRight) return refuse();
  // Parallel guesses may have used up the limit meanwhile: then the right password is refused as well.
  await refuseIfBlocked();
  if (await isSsoOnly(user.id)) {
    return fail(
      forbidden('Your workspace requires sign-in through its own provider.'),
      'denied',
      'single sign-on is required',
    );
  }
  if (user.mfaEnabledAt && !mfaCode) {
    return fail(codeWanted('is required'), 'failure', 'second factor missing');
  }
  const signedIn = await prisma().$transaction(async (db) => {
    if (!(await isStillPassword(db, user))) return 'late';
    if (user.mfaEnabledAt && !(await useCode(db, user.id, mfaCode ?? ''))) return null;
    const factorAt = user.mfaEnabledAt ? new Date() : undefined;
    const sessionId = await openSession(db, user.id, client, { factorAt });
    await record(db, await personEntries(db, subject, { ...entry, result: 'success' }, client));
    return { userId: user.id, email: user.email, name: user.name, sessionId };
  });
  if (signedIn === 'late') return refuse();
  if (!signedIn) {
    await countFailure(claim);
    return fail(codeWanted('is not valid'), 'failure', 'wrong second factor');
  }
  await countSuccess(claim);
  if (user.passwordHash && isOutdated(user.passwordHash)) await renewHash(user.id, user.passwordHash, password);
  return signedIn;
}

/** Rehashes after a change of BCRYPT_COST, unless the password is being changed. */
async function renewHash(id: string, before: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await prisma().user.updateMany({ where: { id, passwordHash: before }, data: { passwordHash } });
}

/**
 * A concurrent change of the password either waits for this login and then ends it, or comes first: then the old
 * password no longer matches.
 */
async function isStillPassword(db: Db, user: { id: string; passwordHash: string | null }): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id FROM app_user WHERE id = ${user.id} AND password_hash = ${user.passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

const codeWanted = (message: string) =>
  unauthorized('A code of your second factor is needed.', [{ field: 'mfaCode', message }]);

interface Place {
  workspaceId: string;
  /**
   * The workspace requires single sign-on. Owners may use their password, so that a broken provider does not lock
   * all users out.
   */
  needsSso: boolean;
}

/** The workspaces that a user accepted, in the order of joining. */
async function placesOf(db: Db, userId: string): Promise<Place[]> {
  const [members, owned] = await Promise.all([
    db.member.findMany({
      where: { userId, ...countingFor(null) },
      select: { workspaceId: true, workspace: { select: { settings: true } } },
      orderBy: [{ joinedAt: 'asc' }, { workspaceId: 'asc' }],
    }),
    db.roleAssignment.findMany({ where: { userId, roleId: systemRoleId('owner'), resourceType: null } }),
  ]);
  return members.map(({ workspaceId, workspace: { settings } }) => ({
    workspaceId,
    needsSso:
      (settings as { ssoRequired?: boolean }).ssoRequired === true &&
      !owned.some((assignment) => assignment.workspaceId === workspaceId),
  }));
}

async function isSsoOnly(userId: string): Promise<boolean> {
  const places = await placesOf(prisma(), userId);
  return places.length > 0 && places.every(({ needsSso }) => needsSso);
}

/** A new pair of tokens for a session. The access token is for its own workspace, or the person's first. */
export async function issueTokens(db: Db, sessionId: string, userId: string): Promise<LoginTokens> {
  const session = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
  const places = session.workspaceId ? [] : await placesOf(db, userId);
  const isOwnSignIn = session.method === 'sso' && isServiceSignInOwn();
  const first = places.find(({ needsSso }) => isOwnSignIn || !needsSso) ?? places[0];
  const refreshToken = newRefreshToken();
  await db.refreshToken.create({ data: { hash: hashOfToken(refreshToken), sessionId } });
  const workspaceId = session.workspaceId ?? first?.workspaceId ?? null;
  return {
    accessToken: await issueAccessToken({ userId, sessionId, workspaceId }),
    refreshToken,
    expiresIn: ACCESS_SECONDS,
  };
}

/**
 * Exchanges a refresh token for a new pair. A token that was used before has been copied: its whole session ends.
 * Throws a Problem UNAUTHORIZED for any invalid token.
 */
export async function refresh(refreshToken: string, client: ClientFacts): Promise<LoginTokens> {
  const tokens = await prisma().$transaction(async (db) => {
    const storedToken = await db.refreshToken.findUnique({
      where: { hash: hashOfToken(refreshToken) },
      include: { session: { include: { user: true } } },
    });
    if (!storedToken) return null;
    const { session } = storedToken;
    const subject = { userId: session.userId, email: session.user.email, onlyWorkspaceId: session.workspaceId };
    const entry = { category: 'authentication', action: 'auth.refresh' } as const;
    // The row lock decides between concurrent requests; the later one counts as reuse.
    const { count } = await db.refreshToken.updateMany({
      where: { hash: storedToken.hash, usedAt: null },
      data: { usedAt: new Date() },
    });
    if (count === 0) await endSession(db, session.id);
    if (count === 0 || !(await livingSessions(db, session.userId)).has(session.id)) {
      const reason = count === 0 ? 'refresh token used twice' : 'session is over';
      await record(db, await personEntries(db, subject, { ...entry, result: 'failure', reason }, client));
      return null;
    }
    await prolongSession(db, session.id);
    await record(db, await personEntries(db, subject, { ...entry, result: 'success' }, client));
    return issueTokens(db, session.id, session.userId);
  });
  if (!tokens) throw unauthorized('The refresh token is not valid.');
  return tokens;
}
