import { z } from 'zod';
import { Email, LoginTokens } from '@/contract/access/session';
import { SsoChoices, SsoStart, SsoTrial } from '@/contract/access/sso';
import { readSingleFields } from '@/server/api/form';
import { operation, publicAccess, type Call } from '@/server/api/operation';
import { contentReply, jsonReply, rawBody, readEffect } from '@/server/api/operation-parts';
import { forbidden, invalidField, notFound } from '@/server/errors/problem';
import type { Person } from '@/server/access/caller';
import { domainOf, withProof } from '@/server/sso/domain-proof';
import { countingFor } from '@/server/access/membership';
import { signInAddress } from '@/server/sso/endpoints';
import { rolesOfMember, isAllowed, rightsOf } from '@/server/access/permissions';
import { bounce, isFromElsewhere } from '@/server/sso/saml-bounce';
import { beginAttempt, bringsCookie, safeReturn, takeAttempt, type Attempt } from '@/server/sso/attempts';
import { conclude, redirect, unsolicited } from '@/server/sso/answer';
import { findProvider, serviceProviders, type Provider, type SsoConfig } from '@/server/sso/provider';
import type { Db } from '@/server/db/client';

// What speaks the protocols is loaded when somebody signs in by them: a process starts without their libraries.

const tag = 'Single sign-on';
const toProvider = { status: 302, description: 'To the provider’s sign-in page' } as const;
/** The answers of the addresses to which a provider sends the browser back. */
const CONCLUDED = {
  reply: contentReply({
    status: 302,
    description: 'To `returnTo`, with a session cookie, or to the sign-in page with the reason.',
  }),
  otherReplies: [
    {
      status: 200,
      body: z.union([LoginTokens, SsoTrial]),
      description: 'With `response=token` the login tokens, with `response=test` the result of the trial.',
    },
    'FORBIDDEN',
  ],
} as const;

const start = operation({
  id: 'sso.start',
  method: 'GET',
  path: '/auth/oauth2',
  summary: 'Begin a sign-in through an OAuth 2.0 or OpenID Connect provider',
  description: 'The browser that begins must be the one that comes back: it gets a cookie of ten minutes.',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  query: SsoStart,
  otherReplies: ['FORBIDDEN', 'NOT_FOUND'],
  reply: contentReply(toProvider),
  async run(call, { query }) {
    const provider = await requireProvider(query.provider, ['oauth2', 'oidc']);
    const { authorizationUrl } = await import('@/server/sso/oidc');
    return begin(call, provider, query, (attempt) => authorizationUrl(provider, attempt));
  },
});

const callback = operation({
  id: 'sso.callback',
  method: 'GET',
  path: '/auth/oauth2_callback',
  summary: 'Receive the browser’s redirect from the provider',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  query: z.looseObject({
    state: z.string().min(1).max(200).describe('The value that the service sent to the provider'),
  }),
  ...CONCLUDED,
  async run(call, { query }) {
    const attempt = await takeAttempt(query.state, call.headers);
    const provider = attempt && (await findProvider(attempt.providerId));
    if (!attempt || !provider) return unsolicited(call.headers);
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const { assertedBy } = await import('@/server/sso/oidc');
    return conclude(provider, attempt, call, () => assertedBy(provider, attempt, parameters));
  },
});

const samlStart = operation({
  id: 'sso.samlStart',
  method: 'GET',
  path: '/auth/saml',
  summary: 'Begin a sign-in through a SAML provider',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  query: SsoStart,
  otherReplies: ['FORBIDDEN', 'NOT_FOUND'],
  reply: contentReply(toProvider),
  async run(call, { query }) {
    const provider = await requireProvider(query.provider, ['saml']);
    const { samlRequestUrl } = await import('@/server/sso/saml');
    return begin(call, provider, query, (attempt) => samlRequestUrl(provider, attempt));
  },
});

/** A browser of another site sends no cookies with its form. */
const POSTS_AGAIN = {
  status: 200,
  mediaTypes: ['text/html'],
  description: 'For browsers: a page that posts it again.',
};

const samlAnswer = operation({
  id: 'sso.samlAnswer',
  method: 'POST',
  path: '/auth/saml',
  summary: 'Receive a SAML provider’s answer (form)',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  body: rawBody(),
  ...CONCLUDED,
  otherReplies: [...CONCLUDED.otherReplies, POSTS_AGAIN],
  async run(call) {
    const { SAMLResponse, RelayState, again } = readSingleFields(call);
    if (!SAMLResponse) throw invalidField('SAMLResponse', 'is required');
    if (!RelayState) return unsolicited(call.headers);
    const isBare = !bringsCookie(RelayState, call.headers);
    if (isBare && !again && isFromElsewhere(call.headers)) return bounce({ SAMLResponse, RelayState });
    const attempt = await takeAttempt(RelayState, call.headers);
    const provider = attempt && (await findProvider(attempt.providerId));
    if (!attempt || provider?.type !== 'saml') return unsolicited(call.headers);
    const { assertedIn } = await import('@/server/sso/saml');
    return conclude(provider, attempt, call, () => assertedIn(provider, attempt, SAMLResponse));
  },
});

const metadata = operation({
  id: 'sso.metadata',
  method: 'GET',
  path: '/auth/saml/metadata',
  summary: 'Read the SAML metadata of this service',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  query: z.strictObject({ provider: z.string().max(100).describe('The id of the sign-in provider') }),
  otherReplies: ['NOT_FOUND'],
  reply: contentReply({ status: 200, mediaTypes: ['application/samlmetadata+xml'], description: 'SAML metadata' }),
  async run(_, { query }) {
    const provider = await requireProvider(query.provider, ['saml']);
    const { samlMetadata } = await import('@/server/sso/saml');
    const headers = { 'Content-Type': 'application/samlmetadata+xml; charset=utf-8' };
    return new Response(await samlMetadata(provider), { headers });
  },
});

const choices = operation({
  id: 'sso.choices',
  method: 'GET',
  path: '/auth/sso',
  summary: 'List the sign-in providers for an email address',
  description:
    'Those of the whole service, and the workspaces’ own for which the domain of the address is verified. `host` is where ' +
    'a browser is sent: show it to the user first.',
  tag,
  access: publicAccess(),
  effect: readEffect(),
  query: z.strictObject({ email: z.string().max(254).optional().describe('Where mail to the person goes') }),
  reply: jsonReply(SsoChoices),
  async run({ db }, { query: { email } }) {
    const own = email ? await choicesOf(db, email) : [];
    return {
      providers: [...own, ...serviceProviders()].map(({ id, name, type, config }) => ({
        id,
        name,
        type,
        url: startOf(id, type),
        host: hostOf(type, config),
      })),
    };
  },
});

/** Maximum number of providers that are offered for one domain; all of them have proven it. */
const MAX_CHOICES = 20;

type Choice = Pick<Provider, 'id' | 'name' | 'type' | 'config'>;

async function choicesOf(db: Db, email: string): Promise<Choice[]> {
  const parsed = Email.safeParse(email);
  if (!parsed.data) throw invalidField('email', 'must be an email address');
  const rows = await db.ssoProvider.findMany({
    where: { enabled: true, ...withProof(domainOf(parsed.data)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_CHOICES,
  });
  return rows.map(({ id, name, type, config }) => ({
    id,
    name,
    type: type as Provider['type'],
    config: config as unknown as SsoConfig,
  }));
}

/** The host of a provider's sign-in page. */
function hostOf(type: Provider['type'], config: SsoConfig): string {
  const address = type === 'saml' ? config.ssoUrl : signInAddress(config);
  return address && URL.canParse(address) ? new URL(address).host : '';
}

const startOf = (id: string, type: Provider['type']) =>
  `${type === 'saml' ? '/auth/saml' : '/auth/oauth2'}?provider=${encodeURIComponent(id)}`;

async function requireProvider(id: string, types: Provider['type'][]): Promise<Provider> {
  const provider = await findProvider(id);
  if (!provider || !types.includes(provider.type)) throw notFound('The provider');
  return provider;
}

type PublicCall = Call & { person: Person | null };

async function begin(
  { db, person }: PublicCall,
  provider: Provider,
  { returnTo = '/', response }: z.output<typeof SsoStart>,
  urlFor: (attempt: Attempt) => Promise<string>,
): Promise<Response> {
  const path = safeReturn(returnTo);
  if (path === null) throw invalidField('returnTo', 'must be a path on this host');
  if (response === 'test') await requireTester(db, person, provider);
  const { attempt, cookie } = await beginAttempt({ providerId: provider.id, returnTo: path, response });
  return redirect(await urlFor(attempt), cookie);
}

/** The provider's assertion about a user is visible to its administrators only. */
async function requireTester(db: Db, person: Person | null, { workspaceId }: Provider): Promise<void> {
  const roles = person && workspaceId ? await heldIn(db, workspaceId, person) : [];
  if (!isAllowed(rightsOf(roles).permissions, 'sso_provider', 'update')) throw forbidden();
}

/** The roles of a user in a workspace, if their session reaches it. */
async function heldIn(db: Db, workspaceId: string, { userId, onlyWorkspaceId }: Person) {
  const where = { AND: [{ userId, workspaceId }, countingFor(onlyWorkspaceId)] };
  return (await db.member.findFirst({ where })) ? rolesOfMember(db, workspaceId, userId) : [];
}

export const sso = [start, callback, samlStart, samlAnswer, metadata, choices];
