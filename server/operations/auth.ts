import { LoginRequest, LoginTokens, Me, Preferences, RefreshRequest } from '@/contract/session';
import { operation } from '../api/operation';
import { forbidden } from '../api/problem';
import { login as signIn, issueTokens, refresh as renew } from '../auth/login';
import { scopesOf } from '../auth/api-key';
import { NO_ROLE } from '../auth/members';
import { permitted, rightsEverywhere, rightsOf } from '../auth/permissions';
import { cutDown } from '../auth/scopes';
import { endSession } from '../auth/session';
import { prisma } from '../db/client';

const login = operation({
  id: 'auth.login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with email and password',
  tag: 'Authentication',
  access: 'public',
  // Checking a password takes a quarter of a second of CPU: no transaction is kept open for it. The login itself is
  // one, with its audit entry.
  effect: 'read',
  body: LoginRequest,
  output: LoginTokens,
  async run(call, { body: { email, password, mfaCode } }) {
    const { sessionId, userId } = await signIn(email, password, call, mfaCode);
    return issueTokens(prisma(), sessionId, userId);
  },
});

const refresh = operation({
  id: 'auth.refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'Trade a refresh token for a new pair',
  description: 'The old refresh token dies. Using a dead one ends the whole login.',
  tag: 'Authentication',
  access: 'public',
  // A reused token is refused and ends its session: the refusal must not undo that.
  effect: 'read',
  body: RefreshRequest,
  output: LoginTokens,
  run: (call, { body: { refreshToken } }) => renew(refreshToken, call),
});

const logout = operation({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End this login',
  description: 'Its access and refresh tokens stop working at once.',
  tag: 'Authentication',
  access: 'signed-in',
  allowsUnenrolled: true,
  allowsLimited: true,
  effect: 'write',
  audit: 'authentication',
  async run({ db, person, note }) {
    if (!person.sessionId) throw forbidden('An API key is no login. Revoke it instead.');
    note({ resourceId: person.sessionId });
    await endSession(db, person.sessionId);
  },
});

const me = operation({
  id: 'auth.me',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'Who am I, in which workspaces, and what may I do there',
  tag: 'Authentication',
  access: 'signed-in',
  allowsUnenrolled: true,
  allowsLimited: true,
  effect: 'read',
  output: Me,
  async run({ db, person: { userId, onlyWorkspaceId, apiKeyId } }) {
    const where = onlyWorkspaceId ? { workspaceId: onlyWorkspaceId } : {};
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
  summary: 'Remember something for me',
  description: 'What the app need not show or ask again, in whatever browser.',
  tag: 'Authentication',
  access: 'signed-in',
  effect: 'write',
  body: Preferences,
  output: Preferences,
  audit: 'configuration_change',
  async run({ db, person: { userId } }, { body }) {
    await db.user.update({ where: { id: userId }, data: { tourEndedAt: body.isTourOver ? new Date() : null } });
    return body;
  },
});

export const auth = [login, refresh, logout, me, savePreferences];
