import { bagOf, fieldOf, isBag, lineOf, listOf, textOf, type ApiDocument, type Bag } from './document';
import { parameterName, titleOf } from './names';
import type { Authentication } from './record';
import type { References } from './references';

type Token = NonNullable<Authentication['token']>;
type OAuth = NonNullable<Authentication['oauth']>;

/** What one scheme of a document asks for. */
interface Scheme {
  token?: Pick<Token, 'fields'> & Partial<Token>;
  oauth?: OAuth;
  /** Why a part of it, or all of it, cannot be used. */
  note?: string;
}

/** Names of headers and cookies (RFC 9110): others could begin another header. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** Headers that belong to the connection. */
const RESERVED = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*)$/i;

const bearer: Scheme['token'] = {
  title: 'Access token',
  fields: [{ name: 'token', title: 'Token', hint: 'Sent as bearer token.', isSecret: true }],
  headers: { Authorization: 'Bearer {token}' },
};

const httpAddress = (text: string | undefined, server: string): string | undefined => {
  if (text === undefined || !URL.canParse(text, server)) return undefined;
  const url = new URL(text, server);
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

function apiKey(id: string, scheme: Bag): Scheme {
  const place = textOf(scheme, 'in');
  const theirs = textOf(scheme, 'name') ?? '';
  if (place !== 'query' && (!TOKEN.test(theirs) || RESERVED.test(theirs)))
    return { note: `${id}: "${lineOf(theirs, 100)}" is not a usable name` };
  if (theirs === '' || theirs.length > 200) return { note: `${id}: it has no name` };
  const name = parameterName(id);
  const where = {
    header: `the header ${theirs}`,
    query: `the query parameter ${theirs}`,
    cookie: `the cookie ${theirs}`,
  };
  const field = { name, title: titleOf(id), hint: '', isSecret: true };
  const token = (hint: string) => ({ title: 'API key', fields: [{ ...field, hint: `Sent in ${hint}.` }] });
  if (place === 'header') return { token: { ...token(where.header), headers: { [theirs]: `{${name}}` } } };
  if (place === 'query') return { token: { ...token(where.query), query: { [theirs]: `{${name}}` } } };
  if (place === 'cookie') return { token: { ...token(where.cookie), headers: { Cookie: `${theirs}={${name}}` } } };
  return { note: `${id}: its place "${lineOf(place, 100)}" is not known` };
}

const basic: Scheme = {
  token: {
    title: 'User name and password',
    fields: [
      { name: 'username', title: 'User name', hint: '', isSecret: false },
      { name: 'password', title: 'Password', hint: '', isSecret: true },
    ],
    basic: { username: '{username}', password: '{password}' },
  },
};

const scopesIn = (flow: Bag): string[] =>
  Object.keys(bagOf(fieldOf(flow, 'scopes')))
    .filter((scope) => scope !== '' && scope !== '__proto__' && scope.length <= 300 && /^[\x21-\x7e]+$/.test(scope))
    .slice(0, 1000);

/** OAuth by a flow that the service has; another one leaves a token that a person enters. */
function oauth(id: string, flows: Record<'code' | 'client', Bag | undefined>, server: string): Scheme {
  const { code, client } = flows;
  const tokenUrl = httpAddress(textOf(code ?? client, 'tokenUrl'), server);
  const authorizeUrl = httpAddress(textOf(code, 'authorizationUrl'), server);
  if (tokenUrl === undefined || (code !== undefined && authorizeUrl === undefined)) {
    const reason = (code ?? client) ? 'its addresses are no whole URLs' : 'its flows are not supported';
    return { token: bearer, note: `${id}: ${reason}; an access token can be entered by hand` };
  }
  const flow = code ? 'authorization_code' : 'client_credentials';
  const optionalScopes = scopesIn(code ?? client ?? {});
  return {
    token: bearer,
    oauth: { flow, ...(authorizeUrl ? { authorizeUrl } : {}), tokenUrl, scopes: [], optionalScopes },
  };
}

function http(id: string, scheme: Bag): Scheme {
  const name = textOf(scheme, 'scheme')?.toLowerCase();
  if (name === 'bearer') return { token: bearer };
  if (name === 'basic') return basic;
  return { note: `${id}: the HTTP scheme "${lineOf(name, 100)}" is not supported` };
}

function readScheme(id: string, scheme: Bag, isSwagger: boolean, server: string): Scheme {
  const type = textOf(scheme, 'type');
  if (type === 'apiKey') return apiKey(id, scheme);
  if (type === 'basic') return basic;
  if (type === 'http') return http(id, scheme);
  if (type === 'openIdConnect')
    return { token: bearer, note: `${id}: OpenID Connect is not supported; an access token can be entered by hand` };
  if (type !== 'oauth2') return { note: `${id}: the type "${lineOf(type, 100)}" is not supported` };
  if (isSwagger) {
    const flow = textOf(scheme, 'flow');
    return oauth(
      id,
      { code: flow === 'accessCode' ? scheme : undefined, client: flow === 'application' ? scheme : undefined },
      server,
    );
  }
  const flows = bagOf(fieldOf(scheme, 'flows'));
  const named = (name: string) => (isBag(fieldOf(flows, name)) ? bagOf(fieldOf(flows, name)) : undefined);
  return oauth(id, { code: named('authorizationCode'), client: named('clientCredentials') }, server);
}

/** One of several ways to call: schemes that are needed together, with their scopes. */
type Requirement = [scheme: string, scopes: string[]][];

export const requirementsIn = (security: unknown): Requirement[] =>
  listOf(security)
    .slice(0, 20)
    .map((one) =>
      Object.entries(bagOf(one)).map(([scheme, scopes]) => [
        scheme,
        listOf(scopes).filter((scope): scope is string => typeof scope === 'string'),
      ]),
    );

/** Whether an operation with these requirements can be called without a credential. */
export const isPublic = (requirements: Requirement[]): boolean =>
  requirements.length === 0 || requirements.some((one) => one.length === 0);

/** The security of a document: its schemes, and what its operations need. */
export class Security {
  private readonly schemes: Map<string, Scheme>;
  private readonly needed = new Map<string, { requirement: Requirement; count: number }>();
  private readonly scopes = new Set<string>();
  private isNeeded = false;

  /** `server`: what relative URLs belong to. */
  constructor({ root, isSwagger }: ApiDocument, references: References, server: string) {
    const declared = isSwagger
      ? fieldOf(root, 'securityDefinitions')
      : fieldOf(fieldOf(root, 'components'), 'securitySchemes');
    const entries = Object.entries(bagOf(declared)).slice(0, 50);
    this.schemes = new Map(
      entries.map(([id, scheme]) => [id, readScheme(lineOf(id, 100), references.find(scheme), isSwagger, server)]),
    );
  }

  /** Counts what an operation needs. */
  count(requirements: Requirement[]): void {
    if (isPublic(requirements)) return;
    this.isNeeded = true;
    for (const requirement of requirements) {
      const key = JSON.stringify(requirement.map(([scheme]) => scheme).toSorted());
      const known = this.needed.get(key) ?? { requirement, count: 0 };
      this.needed.set(key, { ...known, count: known.count + 1 });
      for (const [, scopes] of requirement) for (const scope of scopes) this.scopes.add(scope);
    }
  }

  /** What is needed by the most operations, of what can be used; without any, the first scheme that can be used. */
  authentication(): { authentication: Authentication; notes: string[] } {
    const usable = (requirement: Requirement) => requirement.every(([id]) => this.schemes.get(id)?.token !== undefined);
    const byCount = [...this.needed.values()].toSorted((one, other) => other.count - one.count);
    const chosen = byCount.find(({ requirement }) => usable(requirement))?.requirement;
    const [fallback] = [...this.schemes].find(([, { token }]) => token !== undefined) ?? [];
    const ids = chosen ? chosen.map(([id]) => id) : fallback === undefined ? [] : [fallback];
    const schemes = distinct(ids.flatMap((id) => this.schemes.get(id) ?? []));
    const oauthOf = (all: Iterable<Scheme>) => [...all].find((one) => one.oauth)?.oauth;
    // An app at the provider is an alternative to a token that is entered by hand.
    const others = byCount.filter(({ requirement }) => requirement.length === 1 && usable(requirement));
    const alternatives = others.flatMap(({ requirement: [[id] = ['']] }) => this.schemes.get(id) ?? []);
    const found = schemes.length > 1 ? undefined : (oauthOf(schemes) ?? oauthOf(alternatives));
    const authentication = {
      isRequired: this.isNeeded && schemes.length > 0,
      token: schemes.length === 0 ? null : together(schemes),
      oauth: found ? this.withScopes(found) : null,
    };
    // With OAuth, what the other flows of the same token lack is of no interest.
    const isMet = (scheme: Scheme) => found !== undefined && scheme.token === bearer;
    const notes = [...this.schemes.values()].flatMap((scheme) => (isMet(scheme) ? [] : (scheme.note ?? [])));
    return { authentication, notes };
  }

  private withScopes(oauthScheme: OAuth): OAuth {
    const scopes = oauthScheme.optionalScopes.filter((scope) => this.scopes.has(scope)).slice(0, 100);
    return {
      ...oauthScheme,
      scopes,
      optionalScopes: oauthScheme.optionalScopes.filter((one) => !scopes.includes(one)),
    };
  }
}

/** Schemes that are needed together, without repetitions: some documents name each flow of OAuth as a scheme of its own. */
function distinct(schemes: Scheme[]): Scheme[] {
  const first =
    schemes.find(({ token, oauth }) => token === bearer && oauth) ?? schemes.find(({ token }) => token === bearer);
  return schemes.filter((scheme) => scheme.token !== bearer || scheme === first);
}

/** The fields of schemes that are needed together. */
function together(schemes: Scheme[]): Token {
  const tokens = schemes.flatMap(({ token }) => token ?? []);
  return {
    title: tokens.length === 1 ? (tokens[0]?.title ?? '') : 'Keys and tokens',
    fields: [...new Map(tokens.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const))).values()],
    headers: Object.assign({}, ...tokens.map(({ headers }) => headers)) as Record<string, string>,
    query: Object.assign({}, ...tokens.map(({ query }) => query)) as Record<string, string>,
    basic: tokens.find((token) => token.basic)?.basic ?? null,
  };
}
