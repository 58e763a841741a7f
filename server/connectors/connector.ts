import { z } from 'zod';

/** Which host an address slot such as `{shop}` may hold, and what people are told of it. */
export interface Parameter {
  name: string;
  title: string;
  hint: string;
  required: boolean;
  /** The whole value must match; nothing in it may lead to another host. */
  pattern: RegExp;
  /** The words for what the pattern takes. */
  rule: string;
  /** What the slot holds when an optional one is left out. */
  fallback?: string;
}

/** How a provider hands out the next page; `items` of the operation says where this page's items are. */
export type Paging =
  /** A `Link: <…>; rel="next"` header (RFC 8288). */
  | { kind: 'link' }
  /** The answer holds the next page's address. */
  | { kind: 'address'; at: string }
  /** The answer holds a token that goes into the query. */
  | { kind: 'token'; at: string; query: string }
  /** The query says how many to leave out; `size` is the parameter for how many to get, with the provider's default. */
  | { kind: 'offset'; query: string; size: string; defaultSize: number };

/** One call of a provider's API as data. Every parameter name means one place. */
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
  /** The provider's names where they are no fit names for a parameter: ours → theirs. */
  names?: Record<string, string>;
  /** Sent along as it is. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Name of the object that the provider wants around the body. */
  wrap?: string;
  /** The one parameter that is the whole body. */
  wholeBody?: string;
  /** Dotted path of the list in the answer; `''`: the answer itself. */
  items?: string;
  paging?: Paging;
}

/** A third party as data: adding one is a file like the others in `providers/` and a line in the list. */
export interface Connector {
  /** Lower case; part of the names of its environment variables. */
  id: string;
  name: string;
  description: string;
  flow: 'authorization_code' | 'client_credentials';
  /** May hold slots. Absent for client credentials, and where only the operator knows it. */
  authorizeUrl?: string;
  tokenUrl?: string;
  /** Base address of the API; may hold slots, `{instance_url}` among them. */
  apiUrl?: string;
  /** Further base addresses for single operations, by name. */
  apis?: Record<string, string>;
  /** What is asked for unless somebody chooses: our word for a scope → the provider's (several parted by a blank). */
  scopes: Record<string, string>;
  /** What some operations need besides. */
  optionalScopes?: Record<string, string>;
  /** Sent with every authorization beside the scopes people choose. */
  impliedScopes?: string;
  scopeSeparator?: ' ' | ',';
  /** Values for the slots. */
  parameters?: Parameter[];
  /** Sent to the authorization page. */
  authorizeParams?: Record<string, string>;
  /** Sent to the token endpoint with a code. */
  exchangeParams?: Record<string, string>;
  /** How the client proves itself at the token endpoint: HTTP Basic or in the form. */
  clientAuthentication: 'basic' | 'form';
  /** Lifetime in seconds of access tokens that come without `expires_in`; absent: they don't expire. */
  defaultLifetime?: number;
  /** The API's address differs per account: where to learn it, and which hosts are believed. */
  account?: AccountAddress;
  /** Sent with every API call. */
  headers?: Record<string, string>;
  /** A header that takes the access token besides `Authorization`. */
  tokenHeader?: string;
  /** Changing calls need a token that a reading call hands out first, along with its cookies. */
  hasCsrfTokens?: boolean;
  /** A reading call that every connected account may make: shows whether a credential works. */
  probe: { path: string; api?: string };
  operations: ConnectorOperation[];
  /** What to set at the provider, for the registration page. */
  setup: string;
}

/** Where an account's own API address (`{instance_url}`) and its id (`{account_id}`) are found. */
export interface AccountAddress {
  /** Only an address at one of these hosts is believed; `*.` covers what is below. */
  hosts: string[];
  /** `token`: in the token answer. Else: an address to ask with the fresh access token. */
  from: 'token' | { url: string };
  /** Dotted paths into that answer; `[]` picks the element for which `preferred` is true, or the first. */
  url: string;
  id?: string;
  preferred?: string;
  /** The token in hand is good for finding the account only; the account's own token is asked for with this scope. */
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
/** Any JSON object, as the provider documents it. */
export const fields = (title: string) => z.record(z.string(), z.unknown()).meta({ title });

/** A bare DNS label: no dot, slash or colon can make another host of it. */
export const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The parameter that every paged operation has: get all pages, not only the first. */
export const everything = 'allPages';

/** The scopes that may be asked for, and what the provider calls them. */
export const scopesOf = ({ scopes, optionalScopes }: Connector): Record<string, string> => ({
  ...scopes,
  ...optionalScopes,
});
