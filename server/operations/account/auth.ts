import { LoginRequest, LoginTokens, Me, Preferences, RefreshRequest } from '@/contract/access/session';
import { operation, publicAccess, signedInAccess } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { forbidden } from '@/server/errors/problem';
import { login as signIn, issueTokens, refresh as renew } from '@/server/auth/login';
import { scopesOf } from '@/server/auth/api-key';
import { isEmailVerified } from '@/server/accounts/email-verification';
import { NO_ROLE } from '@/server/access/members';
import { countingFor } from '@/server/access/membership';
import { permitted, rightsEverywhere, rightsOf } from '@/server/access/permissions';
import { cutDown } from '@/server/access/scopes';
import { endSession } from '@/server/auth/session';
import { prisma } from '@/server/db/client';

const login = operation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with email and password',
  tag: 'Authentication',
  access: publicAccess(),
  // Checking a password takes a quarter of a second of CPU time, so it happens outside of a transaction. The login itself is one, with its
  // audit entry.
  effect: readEffect(),
  body: jsonBody(LoginRequest),
  reply: jsonReply(LoginTokens),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { email, password, mfaCode } }) {
    const { sessionId, userId } = await signIn(email, password, call, mfaCode);
    return issueTokens(prisma(), sessionId, userId);
  },
});

const refresh = operation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'Exchange a refresh token for a new pair',
  description: 'The old refresh token becomes invalid. Using it again ends the whole login.',
  tag: 'Authentication',
  access: publicAccess(),
  // A reused token is refused and ends its session: the error must not roll that back.
  effect: readEffect(),
  body: jsonBody(RefreshRequest),
  reply: jsonReply(LoginTokens),
  run: (call, { body: { refreshToken } }) => renew(refreshToken, call),
});

const logout = operation({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End this login',
  description: 'Its access and refresh tokens stop working at once.',
  tag: 'Authentication',
  access: signedInAccess({ allowsLimited: true, allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  async run({ db, person, note }) {
    if (!person.sessionId) throw forbidden('An API key has no session. Revoke it instead.');
    note({ resourceId: person.sessionId });
    await endSession(db, person.sessionId);
  },
});

const me = operation({
  id: 'auth.me',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Read the signed-in user, their workspaces and permissions',
  tag: 'Authentication',
  access: signedInAccess({ allowsLimited: true, allowsUnenrolled: true }),
  effect: readEffect(),
  reply: jsonReply(Me),
  async run({ db, person: { userId, onlyWorkspaceId, apiKeyId } }) {
    const where = countingFor(onlyWorkspaceId);
    const orderBy = [{ joinedAt: 'asc' as const }, { workspaceId: 'asc' as const }];
    const [user, rights] = await Promise.all([
      db.user.findUniqueOrThrow({
        where: { id: userId },
        include: { memberships: { where, include: { workspace: true }, orderBy } },
      }),
      rightsEverywhere(db, userId),
    ]);
    const scopes = apiKeyId ? await scopesOf(db, apiKeyId) : null;
    return {
      user: {
        id: user.id,
        email: user.email,
        name: user.name,
        mfaEnabled: user.mfaEnabledAt !== null,
        isEmailVerified: isEmailVerified(user),
        preferences: { isTourOver: user.tourEndedAt !== null },
      },
      workspaces: user.memberships.map(({ workspace: { id, name, slug } }) => {
        const { roles, permissions } = rights.get(id) ?? rightsOf([]);
        const effective = scopes ? cutDown(permissions, scopes) : permissions;
        return { id, name, slug, role: roles[0] ?? NO_ROLE, ...permitted(effective) };
      }),
    };
  },
});

const savePreferences = operation({
  id: 'auth.savePreferences',
  method: 'PUT',
  path: '/api/auth/preferences',
  summary: 'Store a preference of the signed-in user',
  description: 'Preferences of the app, in every browser.',
  tag: 'Authentication',
  access: signedInAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(Preferences),
  reply: jsonReply(Preferences),
  async run({ db, person: { userId } }, { body }) {
    await db.user.update({ where: { id: userId }, data: { tourEndedAt: body.isTourOver ? new Date() : null } });
    return body;
  },
});

export const auth = [login, refresh, logout, me, savePreferences];
