import { z } from 'zod';
import { Email } from '@/contract/session';
import { SsoChoices, SsoStart } from '@/contract/sso';
import { operation, type Call } from '../api/operation';
import { forbidden, invalidField, notFound } from '../api/problem';
import { assertedBy, authorizationUrl } from '../auth/oidc';
import type { Person } from '../auth/caller';
import { heldByMember, isAllowed, rightsOf } from '../auth/permissions';
import { assertedIn, samlMetadata, samlRequestUrl } from '../auth/saml';
import { bounce, isFromElsewhere } from '../auth/saml-bounce';
import { formOf } from '../auth/saml-form';
import { beginAttempt, bringsCookie, safeReturn, takeAttempt, type Attempt } from '../auth/sso-attempt';
import { conclude, redirect, unsolicited } from '../auth/sso-answer';
import { findProvider, serviceProviders, type Provider } from '../auth/sso-provider';
import type { Db } from '../db/client';

const tag = 'Single sign-on';
const toProvider = { status: 302, description: 'To the provider’s sign-in page' } as const;
const signedIn = {
  status: 302,
  description: 'Signed in: to `returnTo`, with a session cookie. With `response=token`: 200 with login tokens',
} as const;

const start = operation({
  id: 'sso.start',
  method: 'GET',
  path: '/auth/oauth2',
  summary: 'Begin a sign-in through an OAuth 2.0 or OpenID Connect provider',
  description: 'The browser that begins must be the one that comes back: it gets a cookie of ten minutes.',
  tag,
  access: 'public',
  effect: 'read',
  query: SsoStart,
  produces: toProvider,
  async run(call, { query }) {
    const provider = await requireProvider(query.provider, ['oauth2', 'oidc']);
    return begin(call, provider, query, (attempt) => authorizationUrl(provider, attempt));
  },
});

const callback = operation({
  id: 'sso.callback',
  method: 'GET',
  path: '/auth/oauth2_callback',
  summary: 'Where the provider sends the browser back to',
  tag,
  access: 'public',
  effect: 'read',
  query: z.looseObject({ state: z.string().min(1).max(200) }),
  produces: signedIn,
  async run(call, { query }) {
    const attempt = await takeAttempt(query.state, call.headers);
    const provider = attempt && (await findProvider(attempt.providerId));
    if (!attempt || !provider) return unsolicited(call.headers);
    const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return conclude(provider, attempt, call, () => assertedBy(provider, attempt, given));
  },
});

const samlStart = operation({
  id: 'sso.samlStart',
  method: 'GET',
  path: '/auth/saml',
  summary: 'Begin a sign-in through a SAML provider',
  tag,
  access: 'public',
  effect: 'read',
  query: SsoStart,
  produces: toProvider,
  async run(call, { query }) {
    const provider = await requireProvider(query.provider, ['saml']);
    return begin(call, provider, query, (attempt) => samlRequestUrl(provider, attempt));
  },
});

const samlAnswer = operation({
  id: 'sso.samlAnswer',
  method: 'POST',
  path: '/auth/saml',
  summary: 'Take a SAML provider’s answer, a form',
  tag,
  access: 'public',
  effect: 'read',
  takesRawBody: true,
  produces: signedIn,
  async run(call) {
    const { SAMLResponse, RelayState, again } = formOf(call);
    if (!SAMLResponse) throw invalidField('SAMLResponse', 'is required');
    if (!RelayState) return unsolicited(call.headers);
    const isBare = !bringsCookie(RelayState, call.headers);
    if (isBare && !again && isFromElsewhere(call.headers)) return bounce({ SAMLResponse, RelayState });
    const attempt = await takeAttempt(RelayState, call.headers);
    const provider = attempt && (await findProvider(attempt.providerId));
    if (!attempt || provider?.type !== 'saml') return unsolicited(call.headers);
    return conclude(provider, attempt, call, () => assertedIn(provider, attempt, SAMLResponse));
  },
});

const metadata = operation({
  id: 'sso.metadata',
  method: 'GET',
  path: '/auth/saml/metadata',
  summary: 'This service as a SAML provider needs to know it',
  tag,
  access: 'public',
  effect: 'read',
  query: z.strictObject({ provider: z.string().max(100) }),
  produces: { status: 200, mediaTypes: ['application/samlmetadata+xml'], description: 'SAML metadata' },
  async run(_, { query }) {
    const provider = await requireProvider(query.provider, ['saml']);
    const headers = { 'Content-Type': 'application/samlmetadata+xml; charset=utf-8' };
    return new Response(samlMetadata(provider), { headers });
  },
});

const choices = operation({
  id: 'sso.choices',
  method: 'GET',
  path: '/auth/sso',
  summary: 'Providers through which somebody with this address may sign in',
  description: 'Those of the whole service, and the workspaces’ own that name the address’s domain.',
  tag,
  access: 'public',
  effect: 'read',
  query: z.strictObject({ email: z.string().max(254).optional() }),
  output: SsoChoices,
  async run({ db }, { query: { email } }) {
    const own = email ? await choicesOf(db, email) : [];
    return {
      providers: [...own, ...serviceProviders()].map(({ id, name, type }) => ({
        id,
        name,
        type,
        url: startOf(id, type),
      })),
    };
  },
});

async function choicesOf(db: Db, email: string): Promise<Pick<Provider, 'id' | 'name' | 'type'>[]> {
  const parsed = Email.safeParse(email);
  const domain = parsed.data?.slice(parsed.data.lastIndexOf('@') + 1);
  if (!domain) throw invalidField('email', 'must be an email address');
  const rows = await db.ssoProvider.findMany({
    where: { enabled: true, domains: { has: domain } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: 20,
  });
  return rows.map(({ id, name, type }) => ({ id, name, type: type as Provider['type'] }));
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

/** What a provider says of people is for those who administer it. */
async function requireTester(db: Db, person: Person | null, { workspaceId }: Provider): Promise<void> {
  const held = person && workspaceId ? await heldByMember(db, workspaceId, person.userId) : [];
  if (!isAllowed(rightsOf(held).permissions, 'sso_provider', 'update')) throw forbidden();
}

export const sso = [start, callback, samlStart, samlAnswer, metadata, choices];
