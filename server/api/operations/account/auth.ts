import {
  LoginRequest,
  LoginTokens,
  CurrentUser,
  UserPreferences,
  RefreshTokensRequest,
} from '@/contract/access/session';
import { defineOperation, publicAccess, signedInAccess } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { forbiddenProblem } from '@/server/platform/errors/problem';
import {
  signInWithPassword as signIn,
  issueLoginTokens,
  refreshLoginTokens as renew,
} from '@/server/people/auth/login';
import { findApiKeyScopes } from '@/server/people/auth/api-key';
import { isEmailVerified } from '@/server/people/accounts/email-verification';
import { NO_ROLE_NAME } from '@/server/people/access/members';
import { countingMemberships } from '@/server/people/access/membership';
import { summarizePermissions, findRightsByWorkspace, combineRoleRights } from '@/server/people/access/permissions';
import { restrictToScopes } from '@/server/people/access/scopes';
import { endLoginSession } from '@/server/people/auth/session';
import { prismaClient } from '@/server/platform/db/client';

const loginOperation = defineOperation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with email and password',
  tag: 'Authentication',
  access: publicAccess(),
  // Checking a password takes a quarter of a second of CPU time, so it happens outside of a transaction. The login and
  // its audit entry share one transaction.
  effect: readEffect(),
  body: jsonBody(LoginRequest),
  reply: jsonReply(LoginTokens),
  otherReplies: ['FORBIDDEN'],
  async run(call, { body: { email, password, mfaCode } }) {
    const { sessionId, userId } = await signIn(email, password, call, mfaCode);
    return issueLoginTokens(prismaClient(), sessionId, userId);
  },
});

const refreshTokensOperation = defineOperation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'Exchange a refresh token for a new pair',
  description: 'The old refresh token becomes invalid. Using it again ends the whole login.',
  tag: 'Authentication',
  access: publicAccess(),
  // A reused token is refused and ends its session: the error must not roll that back.
  effect: readEffect(),
  body: jsonBody(RefreshTokensRequest),
  reply: jsonReply(LoginTokens),
  run: (call, { body: { refreshToken } }) => renew(refreshToken, call),
});

const logoutOperation = defineOperation({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End this login',
  description: 'Its access and refresh tokens stop working at once.',
  tag: 'Authentication',
  access: signedInAccess({ allowsLimited: true, allowsUnenrolled: true }),
  effect: writeEffect('authentication'),
  async run({ db, person, note }) {
    if (!person.sessionId) throw forbiddenProblem('An API key has no session. Revoke it instead.');
    note({ resourceId: person.sessionId });
    await endLoginSession(db, person.sessionId);
  },
});

const getCurrentUserOperation = defineOperation({
  id: 'auth.me',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Read the signed-in user, their workspaces and permissions',
  tag: 'Authentication',
  access: signedInAccess({ allowsLimited: true, allowsUnenrolled: true }),
  effect: readEffect(),
  reply: jsonReply(CurrentUser),
  async run({ db, person: { userId, onlyWorkspaceId, apiKeyId } }) {
    const where = countingMemberships(onlyWorkspaceId);
    const orderBy = [{ joinedAt: 'asc' as const }, { workspaceId: 'asc' as const }];
    const [user, rights] = await Promise.all([
      db.user.findUniqueOrThrow({
        where: { id: userId },
        include: { memberships: { where, include: { workspace: true }, orderBy } },
      }),
      findRightsByWorkspace(db, userId),
    ]);
    const scopes = apiKeyId ? await findApiKeyScopes(db, apiKeyId) : null;
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
        const { roles, permissions } = rights.get(id) ?? combineRoleRights([]);
        const effective = scopes ? restrictToScopes(permissions, scopes) : permissions;
        return { id, name, slug, role: roles[0] ?? NO_ROLE_NAME, ...summarizePermissions(effective) };
      }),
    };
  },
});

const savePreferencesOperation = defineOperation({
  id: 'auth.savePreferences',
  method: 'PUT',
  path: '/api/auth/preferences',
  summary: 'Store a preference of the signed-in user',
  description: 'Preferences of the app, in every browser.',
  tag: 'Authentication',
  access: signedInAccess(),
  effect: writeEffect('configuration_change'),
  body: jsonBody(UserPreferences),
  reply: jsonReply(UserPreferences),
  async run({ db, person: { userId } }, { body }) {
    await db.user.update({ where: { id: userId }, data: { tourEndedAt: body.isTourOver ? new Date() : null } });
    return body;
  },
});

export const authOperations = [
  loginOperation,
  refreshTokensOperation,
  logoutOperation,
  getCurrentUserOperation,
  savePreferencesOperation,
];
