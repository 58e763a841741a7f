import type { LoginTokens } from '@/contract/access/session';
import type { AuditResult } from '@/contract/access/security';
import { forbiddenProblem, unauthorizedProblem, ApiProblem } from '@/server/platform/errors/problem';
import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { personAuditEntries, appendAuditEntries } from '@/server/people/audit/record';
import { countingMemberships } from '@/server/people/access/membership';
import { requireNormalOperation } from '@/server/platform/maintenance';
import { redeemMfaCode } from './mfa';
import { hashPassword, isPasswordHashOutdated, verifyPassword } from './password';
import { findServiceAccount } from './people';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { recordRefusals } from '@/server/people/audit/refusals';
import { endLoginSession, isServiceSignInTrusted, openLoginSession, prolongSession } from './session';
import { findSessionExpiries } from './session-life';
import { countSignInFailure, countSignInSuccess, requireSignInUnblocked } from './throttle';
import { ACCESS_TOKEN_SECONDS, hashRefreshToken, issueAccessToken, generateRefreshToken } from './tokens';
import type { ClientInfo } from '@/server/people/audit/entry';
import type { CallHeaders } from '@/server/platform/messages/client-address';

export interface SignInResult {
  userId: string;
  email: string;
  name: string;
  sessionId: string;
}

/**
 * Checks email, password and, if set up, the second factor (`mfaCode`: of the authenticator, or a backup code), and
 * begins a session. Unknown people and wrong passwords get the same answer in the same time. Throws a Problem: 503 in
 * maintenance, UNAUTHORIZED (on the field `mfaCode` if only that is missing or wrong), RATE_LIMITED after too many
 * failures, FORBIDDEN if all of the person's workspaces require single sign-on. Every outcome is audited.
 */
export async function signInWithPassword(
  email: string,
  password: string,
  client: ClientInfo & { headers: CallHeaders },
  mfaCode: string | null = null,
): Promise<SignInResult> {
  // Here, because browsers sign in by another way than the operation: before the database refuses the session.
  requireNormalOperation();
  const address = email.trim().toLowerCase();
  const claim = { email: address, ipAddress: client.ipAddress, headers: client.headers };
  const user = await findServiceAccount(prismaClient(), address);
  const subject = { userId: user?.id ?? null, email: address };
  const entry = { category: 'authentication', action: 'auth.login' } as const;
  const fail = async (problem: ApiProblem, result: AuditResult, reason: string): Promise<never> => {
    await recordRefusals(await personAuditEntries(prismaClient(), subject, { ...entry, result, reason }, client));
    throw problem;
  };
  const refuseIfBlocked = () =>
    requireSignInUnblocked(claim).catch((error: unknown) =>
      error instanceof ApiProblem ? fail(error, 'denied', 'too many failed attempts') : Promise.reject(error),
    );

  await refuseIfBlocked();
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  const refuse = async () => {
    await countSignInFailure(claim);
    return fail(unauthorizedProblem('Email or password is wrong.'), 'failure', 'wrong email or password');
  };
  if (!user || !isRight) return refuse();
  // Parallel guesses may have used up the limit meanwhile: then the right password is refused as well.
  await refuseIfBlocked();
  if (await isSsoOnlyUser(user.id)) {
    return fail(
      forbiddenProblem('Your workspace requires sign-in through its own provider.'),
      'denied',
      'single sign-on is required',
    );
  }
  if (user.mfaEnabledAt && !mfaCode) {
    return fail(mfaCodeProblem('is required'), 'failure', 'second factor missing');
  }
  const signedIn = await prismaClient().$transaction(async (db) => {
    if (!(await lockUnchangedPassword(db, user))) return 'late';
    if (user.mfaEnabledAt && !(await redeemMfaCode(db, user.id, mfaCode ?? ''))) return null;
    const factorAt = user.mfaEnabledAt ? new Date() : undefined;
    const sessionId = await openLoginSession(db, user.id, client, { factorAt });
    await appendAuditEntries(db, await personAuditEntries(db, subject, { ...entry, result: 'success' }, client));
    return { userId: user.id, email: user.email, name: user.name, sessionId };
  });
  if (signedIn === 'late') return refuse();
  if (!signedIn) {
    await countSignInFailure(claim);
    return fail(mfaCodeProblem('is not valid'), 'failure', 'wrong second factor');
  }
  await countSignInSuccess(claim);
  if (user.passwordHash && isPasswordHashOutdated(user.passwordHash))
    await renewPasswordHash(user.id, user.passwordHash, password);
  return signedIn;
}

/** Rehashes after a change of BCRYPT_COST, unless the password is being changed. */
async function renewPasswordHash(id: string, before: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await prismaClient().user.updateMany({ where: { id, passwordHash: before }, data: { passwordHash } });
}

/**
 * A concurrent change of the password either waits for this login and then ends it, or comes first: then the old
 * password no longer matches.
 */
async function lockUnchangedPassword(
  db: DatabaseClient,
  user: { id: string; passwordHash: string | null },
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id FROM app_user WHERE id = ${user.id} AND password_hash = ${user.passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

const mfaCodeProblem = (message: string) =>
  unauthorizedProblem('A code of your second factor is needed.', [{ field: 'mfaCode', message }]);

interface SignInWorkspace {
  workspaceId: string;
  /**
   * The workspace requires single sign-on. Owners may use their password, so that a broken provider does not lock
   * all users out.
   */
  needsSso: boolean;
}

/** The workspaces that a user accepted, in the order of joining. */
async function findSignInWorkspaces(db: DatabaseClient, userId: string): Promise<SignInWorkspace[]> {
  const [members, owned] = await Promise.all([
    db.member.findMany({
      where: { userId, ...countingMemberships(null) },
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

async function isSsoOnlyUser(userId: string): Promise<boolean> {
  const places = await findSignInWorkspaces(prismaClient(), userId);
  return places.length > 0 && places.every(({ needsSso }) => needsSso);
}

/** A new pair of tokens for a session. The access token is for its own workspace, or the person's first. */
export async function issueLoginTokens(db: DatabaseClient, sessionId: string, userId: string): Promise<LoginTokens> {
  const session = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
  const places = session.workspaceId ? [] : await findSignInWorkspaces(db, userId);
  const isOwnSignIn = session.method === 'sso' && isServiceSignInTrusted();
  const first = places.find(({ needsSso }) => isOwnSignIn || !needsSso) ?? places[0];
  const refreshToken = generateRefreshToken();
  await db.refreshToken.create({ data: { hash: hashRefreshToken(refreshToken), sessionId } });
  const workspaceId = session.workspaceId ?? first?.workspaceId ?? null;
  return {
    accessToken: await issueAccessToken({ userId, sessionId, workspaceId }),
    refreshToken,
    expiresIn: ACCESS_TOKEN_SECONDS,
  };
}

/**
 * Exchanges a refresh token for a new pair. A token that was used before has been copied: its whole session ends.
 * Throws a Problem UNAUTHORIZED for any invalid token.
 */
export async function refreshLoginTokens(refreshToken: string, client: ClientInfo): Promise<LoginTokens> {
  const tokens = await prismaClient().$transaction(async (db) => {
    const storedToken = await db.refreshToken.findUnique({
      where: { hash: hashRefreshToken(refreshToken) },
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
    if (count === 0) await endLoginSession(db, session.id);
    if (count === 0 || !(await findSessionExpiries(db, session.userId)).has(session.id)) {
      const reason = count === 0 ? 'refresh token used twice' : 'session is over';
      await appendAuditEntries(
        db,
        await personAuditEntries(db, subject, { ...entry, result: 'failure', reason }, client),
      );
      return null;
    }
    await prolongSession(db, session.id);
    await appendAuditEntries(db, await personAuditEntries(db, subject, { ...entry, result: 'success' }, client));
    return issueLoginTokens(db, session.id, session.userId);
  });
  if (!tokens) throw unauthorizedProblem('The refresh token is not valid.');
  return tokens;
}
