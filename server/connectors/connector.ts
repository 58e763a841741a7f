import { z } from 'zod';

/** The hosts that an address slot such as `{shop}` accepts, and its description. */
export interface Parameter {
  name: string;
  title: string;
  hint: string;
  required: boolean;
  /** Must match the whole value, and must not allow a value that leads to another host. */
  pattern: RegExp;
  /** Describes what the pattern accepts. */
  rule: string;
  /** The value of an optional slot that is left out. */
  fallback?: string;
}

/** How a provider returns the next page; `items` of the operation says where this page's items are. */
export type Paging =
  /** A `Link: <…>; rel="next"` header (RFC 8288). */
  | { kind: 'link' }
  /** The answer holds the next page's address. */
  | { kind: 'address'; at: string }
  /** The answer contains a token that goes into the query. */
  | { kind: 'token'; at: string; query: string }
  /** The query contains an offset; `size` is the parameter for the page size, with the provider's default. */
  | { kind: 'offset'; query: string; size: string; defaultSize: number };

/** One call of a provider's API as data. Every parameter name has one meaning. */
export interface ConnectorOperation {
  /** `<things>.<verb>` */
  id: string;
  title: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the API's base address; `{name}` is filled from the parameters, percent-encoded. */
  path: string;
  /** One of the connector's `apis`; absent: the main one. */
  api?: string;
  /** Parameters in the path, in the query, and in the JSON body. */
  inPath?: z.ZodRawShape;
  inQuery?: z.ZodRawShape;
  inBody?: z.ZodRawShape;
  /** The provider's names where they are not usable as parameter names: ours → theirs. */
  names?: Record<string, string>;
  /** Constant parts. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Name of the object that wraps the body. */
  wrap?: string;
  /** The one parameter that is the whole body. */
  wholeBody?: string;
  /** Dotted path of the list in the answer; `''`: the answer itself. */
  items?: string;
  paging?: Paging;
}

/** A third-party API as data: adding one takes a file in `providers/` and a line in the list. */
export interface Connector {
  /** Lower case; part of the names of its environment variables. */
  id: string;
  name: string;
  description: string;
  /** Lower-case words that people search for, besides name and description. */
  synonyms?: string[];
  flow: 'authorization_code' | 'client_credentials';
  /** May contain slots. Absent for client credentials, and if only the operator knows it. */
  authorizeUrl?: string;
  tokenUrl?: string;
  /** Base address of the API; may contain slots, `{instance_url}` among them. */
  apiUrl?: string;
  /** Further base addresses for single operations, by name. */
  apis?: Record<string, string>;
  /** Default scopes: our name for a scope → the provider's (several separated by a blank). */
  scopes: Record<string, string>;
  /** Scopes that only some operations need. */
  optionalScopes?: Record<string, string>;
  /** Sent with every authorization in addition to the chosen scopes. */
  impliedScopes?: string;
  scopeSeparator?: ' ' | ',';
  /** Values for the slots. */
  parameters?: Parameter[];
  /** Sent to the authorization page. */
  authorizeParams?: Record<string, string>;
  /** Sent to the token endpoint with a code. */
  exchangeParams?: Record<string, string>;
  /** How the client authenticates at the token endpoint: HTTP Basic or in the form. */
  clientAuthentication: 'basic' | 'form';
  /** Lifetime in seconds of access tokens without `expires_in`; absent: they do not expire. */
  defaultLifetime?: number;
  /** The API's address differs per account: where to read it, and which hosts are trusted. */
  account?: AccountAddress;
  /** Sent with every API call. */
  headers?: Record<string, string>;
  /** A header that carries the access token in addition to `Authorization`. */
  tokenHeader?: string;
  /** Changing calls need a CSRF token that a reading call returns, together with its cookies. */
  hasCsrfTokens?: boolean;
  /** A reading call that every connected account may make: tests whether a credential works. */
  probe: { path: string; api?: string };
  operations: ConnectorOperation[];
  /** Settings at the provider, for the registration page. */
  setup: string;
}

/** Where an account's own API address (`{instance_url}`) and its id (`{account_id}`) are found. */
export interface AccountAddress {
  /** Only an address at one of these hosts is trusted; `*.` covers all hosts below. */
  hosts: string[];
  /** `token`: in the token answer. Else: an address to request with the fresh access token. */
  from: 'token' | { url: string };
  /** Dotted paths in that answer; `[]` picks the element for which `preferred` is true, or the first. */
  url: string;
  id?: string;
  preferred?: string;
  /** The first token only serves to find the account; the account's own token is requested with this scope. */
  thenScope?: string;
}

/** A parameter of an operation, with its title. */
export const word = (title: string, max = 1000) => z.string().min(1).max(max).meta({ title });
export const words = (title: string) => z.array(z.string().max(1000)).max(1000).meta({ title });
export const count = (title: string, max: number) => z.number().int().min(1).max(max).meta({ title });
export const flag = (title: string) => z.boolean().meta({ title });
export const choice = <const Options extends readonly [string, ...string[]]>(title: string, options: Options) =>
  z.enum(options).meta({ title });
export const moment = (title: string) => z.string().max(64).meta({ title, description: 'ISO 8601' });
/** Any JSON object that the provider documents. */
export const fields = (title: string) => z.record(z.string(), z.unknown()).meta({ title });

/** A single DNS label: without dot, slash or colon it cannot become another host. */
export const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The parameter of every paged operation: fetch all pages instead of the first. */
export const everything = 'allPages';

/** The allowed scopes, and the provider's names for them. */
export const scopesOf = ({ scopes, optionalScopes }: Connector): Record<string, string> => ({
  ...scopes,
  ...optionalScopes,
});
