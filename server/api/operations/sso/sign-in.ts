import { z } from 'zod';
import { EmailAddress, LoginTokens } from '@/contract/access/session';
import { SsoChoicesResponse, StartSsoQuery, SsoTrialResult } from '@/contract/access/sso';
import { parseSingleFields } from '@/server/api/operation/form';
import { defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, jsonReply, rawBody, readEffect } from '@/server/api/operation/operation-parts';
import { forbiddenProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { emailDomain, providersWithProof } from '@/server/people/sso/domain-proof';
import { countingMemberships } from '@/server/people/access/membership';
import { providerSignInUrl } from '@/server/people/sso/endpoints';
import { findHeldRoles, isAllowedOnEveryObject, combineRoleRights } from '@/server/people/access/permissions';
import { repostPage, isPostedByOtherSite } from '@/server/people/sso/saml-repost';
import {
  beginSsoAttempt,
  hasAttemptCookie,
  safeReturnPath,
  takeSsoAttempt,
  type SsoAttempt,
} from '@/server/people/sso/attempts';
import { concludeSignIn, redirectResponse, unsolicitedResponse } from '@/server/people/sso/sign-in-response';
import {
  findEnabledProvider,
  listServiceProviders,
  type IdentityProvider,
  type SsoConfig,
} from '@/server/people/sso/provider';
import type { DatabaseClient } from '@/server/platform/db/client';

// The protocol libraries are loaded only when somebody signs in with them, so that processes start without them.

const SSO_TAG = 'Single sign-on';
const PROVIDER_REDIRECT = { status: 302, description: 'To the provider’s sign-in page' } as const;
/** The responses of the addresses to which a provider sends the browser back. */
const SIGN_IN_RESPONSES = {
  reply: contentReply({
    status: 302,
    description: 'To `returnTo`, with a session cookie, or to the sign-in page with the reason.',
  }),
  otherReplies: [
    {
      status: 200,
      body: z.union([LoginTokens, SsoTrialResult]),
      description: 'With `response=token` the login tokens, with `response=test` the result of the trial.',
    },
    'FORBIDDEN',
  ],
} as const;

const startOAuthOperation = defineOperation({
  id: 'sso.start',
  method: 'GET',
  path: '/auth/oauth2',
  summary: 'Begin a sign-in through an OAuth 2.0 or OpenID Connect provider',
  description: 'The browser that begins must be the one that comes back: it gets a cookie of ten minutes.',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  query: StartSsoQuery,
  otherReplies: ['FORBIDDEN', 'NOT_FOUND'],
  reply: contentReply(PROVIDER_REDIRECT),
  async run(call, { query }) {
    const provider = await requireSsoProvider(query.provider, ['oauth2', 'oidc']);
    const { buildSsoRedirectUrl: authorizationUrl } = await import('@/server/people/sso/oidc');
    return beginSignIn(call, provider, query, (attempt) => authorizationUrl(provider, attempt));
  },
});

const oauthCallbackOperation = defineOperation({
  id: 'sso.callback',
  method: 'GET',
  path: '/auth/oauth2_callback',
  summary: 'Receive the browser’s redirect from the provider',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  query: z.looseObject({
    state: z.string().min(1).max(200).describe('The value that the service sent to the provider'),
  }),
  ...SIGN_IN_RESPONSES,
  async run(call, { query }) {
    const attempt = await takeSsoAttempt(query.state, call.headers);
    const provider = attempt && (await findEnabledProvider(attempt.providerId));
    if (!attempt || !provider) return unsolicitedResponse(call.headers);
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const { verifyOauthCallback: assertedBy } = await import('@/server/people/sso/oidc');
    return concludeSignIn(provider, attempt, call, () => assertedBy(provider, attempt, parameters));
  },
});

const startSamlOperation = defineOperation({
  id: 'sso.samlStart',
  method: 'GET',
  path: '/auth/saml',
  summary: 'Begin a sign-in through a SAML provider',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  query: StartSsoQuery,
  otherReplies: ['FORBIDDEN', 'NOT_FOUND'],
  reply: contentReply(PROVIDER_REDIRECT),
  async run(call, { query }) {
    const provider = await requireSsoProvider(query.provider, ['saml']);
    const { samlRequestUrl } = await import('@/server/people/sso/saml');
    return beginSignIn(call, provider, query, (attempt) => samlRequestUrl(provider, attempt));
  },
});

/** A browser sends no cookies with a form of another site, so this page posts the form again from our own. */
const REPOST_RESPONSE = {
  status: 200,
  mediaTypes: ['text/html'],
  description: 'For browsers: a page that posts it again.',
};

const samlResponseOperation = defineOperation({
  id: 'sso.samlAnswer',
  method: 'POST',
  path: '/auth/saml',
  summary: 'Receive a SAML provider’s answer (form)',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  body: rawBody(),
  ...SIGN_IN_RESPONSES,
  otherReplies: [...SIGN_IN_RESPONSES.otherReplies, REPOST_RESPONSE],
  async run(call) {
    const { SAMLResponse, RelayState, again } = parseSingleFields(call);
    if (!SAMLResponse) throw invalidFieldProblem('SAMLResponse', 'is required');
    if (!RelayState) return unsolicitedResponse(call.headers);
    const isBare = !hasAttemptCookie(RelayState, call.headers);
    if (isBare && !again && isPostedByOtherSite(call.headers)) return repostPage({ SAMLResponse, RelayState });
    const attempt = await takeSsoAttempt(RelayState, call.headers);
    const provider = attempt && (await findEnabledProvider(attempt.providerId));
    if (!attempt || provider?.type !== 'saml') return unsolicitedResponse(call.headers);
    const { verifySamlResponse: assertedIn } = await import('@/server/people/sso/saml');
    return concludeSignIn(provider, attempt, call, () => assertedIn(provider, attempt, SAMLResponse));
  },
});

const samlMetadataOperation = defineOperation({
  id: 'sso.metadata',
  method: 'GET',
  path: '/auth/saml/metadata',
  summary: 'Read the SAML metadata of this service',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  query: z.strictObject({ provider: z.string().max(100).describe('The id of the sign-in provider') }),
  otherReplies: ['NOT_FOUND'],
  reply: contentReply({ status: 200, mediaTypes: ['application/samlmetadata+xml'], description: 'SAML metadata' }),
  async run(_, { query }) {
    const provider = await requireSsoProvider(query.provider, ['saml']);
    const { buildSamlMetadata: samlMetadata } = await import('@/server/people/sso/saml');
    const headers = { 'Content-Type': 'application/samlmetadata+xml; charset=utf-8' };
    return new Response(await samlMetadata(provider), { headers });
  },
});

const listSsoChoicesOperation = defineOperation({
  id: 'sso.choices',
  method: 'GET',
  path: '/auth/sso',
  summary: 'List the sign-in providers for an email address',
  description:
    'Those of the whole service, and the workspaces’ own for which the domain of the address is verified. `host` is where ' +
    'a browser is sent: show it to the user first.',
  tag: SSO_TAG,
  access: publicAccess(),
  effect: readEffect(),
  query: z.strictObject({ email: z.string().max(254).optional().describe('Where mail to the person goes') }),
  reply: jsonReply(SsoChoicesResponse),
  async run({ db }, { query: { email } }) {
    const own = email ? await findDomainProviders(db, email) : [];
    return {
      providers: [...own, ...listServiceProviders()].map(({ id, name, type, config }) => ({
        id,
        name,
        type,
        url: signInPath(id, type),
        host: signInHost(type, config),
      })),
    };
  },
});

/** Maximum number of providers that are offered for one domain; all of them have proven it. */
const MAX_SSO_CHOICES = 20;

type ProviderChoice = Pick<IdentityProvider, 'id' | 'name' | 'type' | 'config'>;

async function findDomainProviders(db: DatabaseClient, email: string): Promise<ProviderChoice[]> {
  const parsed = EmailAddress.safeParse(email);
  if (!parsed.data) throw invalidFieldProblem('email', 'must be an email address');
  const rows = await db.ssoProvider.findMany({
    where: { enabled: true, ...providersWithProof(emailDomain(parsed.data)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_SSO_CHOICES,
  });
  return rows.map(({ id, name, type, config }) => ({
    id,
    name,
    type: type as IdentityProvider['type'],
    config: config as unknown as SsoConfig,
  }));
}

/** The host of a provider's sign-in page. */
function signInHost(type: IdentityProvider['type'], config: SsoConfig): string {
  const address = type === 'saml' ? config.ssoUrl : providerSignInUrl(config);
  return address && URL.canParse(address) ? new URL(address).host : '';
}

const signInPath = (id: string, type: IdentityProvider['type']) =>
  `${type === 'saml' ? '/auth/saml' : '/auth/oauth2'}?provider=${encodeURIComponent(id)}`;

async function requireSsoProvider(id: string, types: IdentityProvider['type'][]): Promise<IdentityProvider> {
  const provider = await findEnabledProvider(id);
  if (!provider || !types.includes(provider.type)) throw notFoundProblem('The provider');
  return provider;
}

type PublicCall = OperationCall & { person: AuthenticatedPerson | null };

async function beginSignIn(
  { db, person }: PublicCall,
  provider: IdentityProvider,
  { returnTo = '/', response }: z.output<typeof StartSsoQuery>,
  urlFor: (attempt: SsoAttempt) => Promise<string>,
): Promise<Response> {
  const path = safeReturnPath(returnTo);
  if (path === null) throw invalidFieldProblem('returnTo', 'must be a path on this host');
  if (response === 'test') await requireProviderTester(db, person, provider);
  const { attempt, cookie } = await beginSsoAttempt({ providerId: provider.id, returnTo: path, response });
  return redirectResponse(await urlFor(attempt), cookie);
}

/** The provider's assertion about a user is visible to its administrators only. */
async function requireProviderTester(
  db: DatabaseClient,
  person: AuthenticatedPerson | null,
  { workspaceId }: IdentityProvider,
): Promise<void> {
  const roles = person && workspaceId ? await readHeldRoles(db, workspaceId, person) : [];
  if (!isAllowedOnEveryObject(combineRoleRights(roles).permissions, 'sso_provider', 'update')) throw forbiddenProblem();
}

/** The roles of a user in a workspace, if their session reaches it. */
async function readHeldRoles(
  db: DatabaseClient,
  workspaceId: string,
  { userId, onlyWorkspaceId }: AuthenticatedPerson,
) {
  const where = { AND: [{ userId, workspaceId }, countingMemberships(onlyWorkspaceId)] };
  return (await db.member.findFirst({ where })) ? findHeldRoles(db, workspaceId, userId) : [];
}

export const ssoOperations = [
  startOAuthOperation,
  oauthCallbackOperation,
  startSamlOperation,
  samlResponseOperation,
  samlMetadataOperation,
  listSsoChoicesOperation,
];
