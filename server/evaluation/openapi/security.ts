import {
  objectOrEmpty,
  readOwnField,
  isOpenApiObject,
  toSingleLine,
  listOrEmpty,
  textField,
  type OpenApiDocument,
  type OpenApiObject,
} from './document';
import { toParameterName, humanizeName } from './names';
import type { ApiAuthentication } from './record';
import type { ReferenceResolver } from './references';

type TokenAuthentication = NonNullable<ApiAuthentication['token']>;
type OAuthAuthentication = NonNullable<ApiAuthentication['oauth']>;

/** The authentication that one security scheme of a document asks for. */
interface SecurityScheme {
  token?: Pick<TokenAuthentication, 'fields'> & Partial<TokenAuthentication>;
  oauth?: OAuthAuthentication;
  /** Why a part of it, or all of it, cannot be used. */
  note?: string;
}

/** Names of headers and cookies (RFC 9110): others could begin another header. */
const HTTP_TOKEN_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** Headers that belong to the connection. */
const CONNECTION_HEADERS = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*)$/i;

const BEARER_TOKEN: SecurityScheme['token'] = {
  title: 'Access token',
  fields: [{ name: 'token', title: 'Token', hint: 'Sent as bearer token.', isSecret: true }],
  headers: { Authorization: 'Bearer {token}' },
};

const parseHttpAddress = (text: string | undefined, server: string): string | undefined => {
  if (text === undefined || !URL.canParse(text, server)) return undefined;
  const url = new URL(text, server);
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

function apiKeyScheme(id: string, scheme: OpenApiObject): SecurityScheme {
  const place = textField(scheme, 'in');
  const theirs = textField(scheme, 'name') ?? '';
  if (place !== 'query' && (!HTTP_TOKEN_PATTERN.test(theirs) || CONNECTION_HEADERS.test(theirs)))
    return { note: `${id}: "${toSingleLine(theirs, 100)}" is not a usable name` };
  if (theirs === '' || theirs.length > 200) return { note: `${id}: it has no name` };
  const name = toParameterName(id);
  const where = {
    header: `the header ${theirs}`,
    query: `the query parameter ${theirs}`,
    cookie: `the cookie ${theirs}`,
  };
  const field = { name, title: humanizeName(id), hint: '', isSecret: true };
  const token = (hint: string) => ({ title: 'API key', fields: [{ ...field, hint: `Sent in ${hint}.` }] });
  if (place === 'header') return { token: { ...token(where.header), headers: { [theirs]: `{${name}}` } } };
  if (place === 'query') return { token: { ...token(where.query), query: { [theirs]: `{${name}}` } } };
  if (place === 'cookie') return { token: { ...token(where.cookie), headers: { Cookie: `${theirs}={${name}}` } } };
  return { note: `${id}: its place "${toSingleLine(place, 100)}" is not known` };
}

const BASIC_AUTH_SCHEME: SecurityScheme = {
  token: {
    title: 'User name and password',
    fields: [
      { name: 'username', title: 'User name', hint: '', isSecret: false },
      { name: 'password', title: 'Password', hint: '', isSecret: true },
    ],
    basic: { username: '{username}', password: '{password}' },
  },
};

const readFlowScopes = (flow: OpenApiObject): string[] =>
  Object.keys(objectOrEmpty(readOwnField(flow, 'scopes')))
    .filter((scope) => scope !== '' && scope !== '__proto__' && scope.length <= 300 && /^[\x21-\x7e]+$/.test(scope))
    .slice(0, 1000);

/** OAuth by a flow that the service supports. For any other flow a person enters a token. */
function oauthFlowScheme(
  id: string,
  flows: Record<'code' | 'client', OpenApiObject | undefined>,
  server: string,
): SecurityScheme {
  const { code, client } = flows;
  const tokenUrl = parseHttpAddress(textField(code ?? client, 'tokenUrl'), server);
  const authorizeUrl = parseHttpAddress(textField(code, 'authorizationUrl'), server);
  if (tokenUrl === undefined || (code !== undefined && authorizeUrl === undefined)) {
    const reason = (code ?? client) ? 'its addresses are no whole URLs' : 'its flows are not supported';
    return { token: BEARER_TOKEN, note: `${id}: ${reason}; an access token can be entered by hand` };
  }
  const flow = code ? 'authorization_code' : 'client_credentials';
  const optionalScopes = readFlowScopes(code ?? client ?? {});
  return {
    token: BEARER_TOKEN,
    oauth: { flow, ...(authorizeUrl ? { authorizeUrl } : {}), tokenUrl, scopes: [], optionalScopes },
  };
}

function httpAuthScheme(id: string, scheme: OpenApiObject): SecurityScheme {
  const name = textField(scheme, 'scheme')?.toLowerCase();
  if (name === 'bearer') return { token: BEARER_TOKEN };
  if (name === 'basic') return BASIC_AUTH_SCHEME;
  return { note: `${id}: the HTTP scheme "${toSingleLine(name, 100)}" is not supported` };
}

function readSecurityScheme(id: string, scheme: OpenApiObject, isSwagger: boolean, server: string): SecurityScheme {
  const type = textField(scheme, 'type');
  if (type === 'apiKey') return apiKeyScheme(id, scheme);
  if (type === 'basic') return BASIC_AUTH_SCHEME;
  if (type === 'http') return httpAuthScheme(id, scheme);
  if (type === 'openIdConnect')
    return {
      token: BEARER_TOKEN,
      note: `${id}: OpenID Connect is not supported; an access token can be entered by hand`,
    };
  if (type !== 'oauth2') return { note: `${id}: the type "${toSingleLine(type, 100)}" is not supported` };
  if (isSwagger) {
    const flow = textField(scheme, 'flow');
    return oauthFlowScheme(
      id,
      { code: flow === 'accessCode' ? scheme : undefined, client: flow === 'application' ? scheme : undefined },
      server,
    );
  }
  const flows = objectOrEmpty(readOwnField(scheme, 'flows'));
  const named = (name: string) =>
    isOpenApiObject(readOwnField(flows, name)) ? objectOrEmpty(readOwnField(flows, name)) : undefined;
  return oauthFlowScheme(id, { code: named('authorizationCode'), client: named('clientCredentials') }, server);
}

/** One way to call an operation: security schemes that are needed together, with their scopes. */
type SecurityRequirement = [scheme: string, scopes: string[]][];

export const readRequirements = (security: unknown): SecurityRequirement[] =>
  listOrEmpty(security)
    .slice(0, 20)
    .map((one) =>
      Object.entries(objectOrEmpty(one)).map(([scheme, scopes]) => [
        scheme,
        listOrEmpty(scopes).filter((scope): scope is string => typeof scope === 'string'),
      ]),
    );

/** Whether an operation with these requirements can be called without a credential. */
export const needsNoCredential = (requirements: SecurityRequirement[]): boolean =>
  requirements.length === 0 || requirements.some((one) => one.length === 0);

/** The security of a document: its schemes, and what its operations need. */
export class SecuritySchemes {
  private readonly schemes: Map<string, SecurityScheme>;
  private readonly needed = new Map<string, { requirement: SecurityRequirement; count: number }>();
  private readonly scopes = new Set<string>();
  private isNeeded = false;

  /** `server`: what relative URLs belong to. */
  constructor({ root, isSwagger }: OpenApiDocument, references: ReferenceResolver, server: string) {
    const declared = isSwagger
      ? readOwnField(root, 'securityDefinitions')
      : readOwnField(readOwnField(root, 'components'), 'securitySchemes');
    const entries = Object.entries(objectOrEmpty(declared)).slice(0, 50);
    this.schemes = new Map(
      entries.map(([id, scheme]) => [
        id,
        readSecurityScheme(toSingleLine(id, 100), references.resolveOrEmpty(scheme), isSwagger, server),
      ]),
    );
  }

  /** Counts what an operation needs. */
  count(requirements: SecurityRequirement[]): void {
    if (needsNoCredential(requirements)) return;
    this.isNeeded = true;
    for (const requirement of requirements) {
      const key = JSON.stringify(requirement.map(([scheme]) => scheme).toSorted());
      const known = this.needed.get(key) ?? { requirement, count: 0 };
      this.needed.set(key, { ...known, count: known.count + 1 });
      for (const [, scopes] of requirement) for (const scope of scopes) this.scopes.add(scope);
    }
  }

  /**
   * Chooses, among the usable requirements, the one that most operations have; without any, the first usable scheme.
   */
  chooseAuthentication(): { authentication: ApiAuthentication; notes: string[]; needsAppRegistration: boolean } {
    const usable = (requirement: SecurityRequirement) =>
      requirement.every(([id]) => this.schemes.get(id)?.token !== undefined);
    const byCount = [...this.needed.values()].toSorted((one, other) => other.count - one.count);
    const chosen = byCount.find(({ requirement }) => usable(requirement))?.requirement;
    const [fallback] = [...this.schemes].find(([, { token }]) => token !== undefined) ?? [];
    const ids = chosen ? chosen.map(([id]) => id) : fallback === undefined ? [] : [fallback];
    const schemes = distinctSchemes(ids.flatMap((id) => this.schemes.get(id) ?? []));
    const oauthOf = (all: Iterable<SecurityScheme>) => [...all].find((one) => one.oauth)?.oauth;
    // An app at the provider is an alternative to a token that is entered by hand.
    const others = byCount.filter(({ requirement }) => requirement.length === 1 && usable(requirement));
    const alternatives = others.flatMap(({ requirement: [[id] = ['']] }) => this.schemes.get(id) ?? []);
    const found = schemes.length > 1 ? undefined : (oauthOf(schemes) ?? oauthOf(alternatives));
    const authentication = {
      isRequired: this.isNeeded && schemes.length > 0,
      token: schemes.length === 0 ? null : combineTokenSchemes(schemes),
      oauth: found ? this.withScopes(found) : null,
    };
    // With OAuth, notes on other flows of the same token would only confuse.
    const isMet = (scheme: SecurityScheme) => found !== undefined && scheme.token === BEARER_TOKEN;
    const notes = [...this.schemes.values()].flatMap((scheme) => (isMet(scheme) ? [] : (scheme.note ?? [])));
    return { authentication, notes, needsAppRegistration: this.needsAppRegistration() };
  }

  /**
   * Whether every way to call the operations is OAuth in the name of a person: then somebody has to register an app at
   * the service first. Operations that need nothing do not count.
   */
  private needsAppRegistration(): boolean {
    const isByPerson = (id: string) => this.schemes.get(id)?.oauth?.flow === 'authorization_code';
    const ways = [...this.needed.values()].map(({ requirement }) => requirement.map(([id]) => id));
    return ways.length > 0 && ways.every((ids) => ids.some(isByPerson));
  }

  private withScopes(oauthScheme: OAuthAuthentication): OAuthAuthentication {
    const scopes = oauthScheme.optionalScopes.filter((scope) => this.scopes.has(scope)).slice(0, 100);
    return {
      ...oauthScheme,
      scopes,
      optionalScopes: oauthScheme.optionalScopes.filter((one) => !scopes.includes(one)),
    };
  }
}

/**
 * Schemes that are needed together, without repetitions: some documents name each flow of OAuth as a scheme of its own.
 */
function distinctSchemes(schemes: SecurityScheme[]): SecurityScheme[] {
  const first =
    schemes.find(({ token, oauth }) => token === BEARER_TOKEN && oauth) ??
    schemes.find(({ token }) => token === BEARER_TOKEN);
  return schemes.filter((scheme) => scheme.token !== BEARER_TOKEN || scheme === first);
}

/** The fields of schemes that are needed together. */
function combineTokenSchemes(schemes: SecurityScheme[]): TokenAuthentication {
  const tokens = schemes.flatMap(({ token }) => token ?? []);
  return {
    title: tokens.length === 1 ? (tokens[0]?.title ?? '') : 'Keys and tokens',
    fields: [...new Map(tokens.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const))).values()],
    headers: Object.assign({}, ...tokens.map(({ headers }) => headers)) as Record<string, string>,
    query: Object.assign({}, ...tokens.map(({ query }) => query)) as Record<string, string>,
    basic: tokens.find((token) => token.basic)?.basic ?? null,
  };
}
