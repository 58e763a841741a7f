import type { OperationDefinition } from './operation';

/** The hosts that an address slot such as `{shop}` accepts, and its description. */
export interface AddressSlot {
  name: string;
  title: string;
  hint: string;
  required: boolean;
  /**
   * Must match the whole value, and must not allow a value that leads to another host, unless the user names the host
   * with a token.
   */
  pattern: RegExp;
  /** Describes what the pattern accepts. */
  rule: string;
  /** The value of an optional slot that is left out. */
  fallback?: string;
}

/** A field of a credential with a static token. */
export interface TokenField {
  name: string;
  title: string;
  hint: string;
  isSecret: boolean;
  isOptional?: true;
  /** Must match the whole value. */
  pattern?: RegExp;
  /** Describes what the pattern accepts. */
  rule?: string;
}

/**
 * A static token, key or password of an account. In the values, `{name}` stands for a field. A slot of the API's
 * address that has the name of a field is filled when the token is sent.
 */
export interface TokenAccess {
  /** In the console: `Bot token`. */
  title: string;
  /** Tells users where to get the token. */
  setup: string;
  fields: TokenField[];
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** HTTP basic authentication. */
  basic?: { username: string; password: string };
}

/** A service of a provider with several of them: operations whose ids begin with its id belong to it. */
export interface ProviderService {
  id: string;
  name: string;
  description: string;
  synonyms: string[];
}

/** Marks responses that refuse although their status means success. */
export type RefusalMarker =
  /** The flag at `at` is false; the reason is at `reason`. */
  | { kind: 'flag'; at: string; reason: string }
  /** There is a list of errors at `at`. */
  | { kind: 'errors'; at: string };

/** A third-party API as data: adding one takes a file in `providers/` and a line in the list. */
export interface ConnectorDefinition {
  /** Lower case; part of the names of its environment variables. */
  id: string;
  name: string;
  description: string;
  /** Lower-case words that people search for, besides name and description. */
  synonyms?: string[];
  /** How accounts are connected. `token`: only by `token`. */
  flow: 'authorization_code' | 'client_credentials' | 'token';
  /** Accounts may be connected by a static token, too. */
  token?: TokenAccess;
  /** May contain slots. Absent for client credentials, and if only the operator knows it. */
  authorizeUrl?: string;
  tokenUrl?: string;
  /** Base address of the API; may contain slots, `{instance_url}` among them. */
  apiUrl?: string;
  /** Further base addresses for single operations, by name. */
  apis?: Record<string, string>;
  /** Further hosts of the provider, which the API's answers lead to: they get the credential, too. */
  hosts?: string[];
  /** Default scopes: our name for a scope → the provider's (several separated by a blank). */
  scopes: Record<string, string>;
  /** Scopes that only some operations need. */
  optionalScopes?: Record<string, string>;
  /** Sent with every authorization in addition to the chosen scopes. */
  impliedScopes?: string;
  scopeSeparator?: ' ' | ',';
  /** Values for the slots. */
  parameters?: AddressSlot[];
  /** Sent to the authorization page. */
  authorizeParams?: Record<string, string>;
  /** Sent to the token endpoint with a code. */
  exchangeParams?: Record<string, string>;
  /** How the client authenticates at the token endpoint: HTTP Basic or in the form (default). */
  clientAuthentication?: 'basic' | 'form';
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
  /** Refusals with a status of success. */
  refusal?: RefusalMarker;
  /** A reading call that every connected account may make: tests whether a credential works. Absent: none is known. */
  probe?: { path: string; api?: string; method?: 'GET' | 'POST'; body?: unknown };
  /** For a provider with several services. */
  services?: ProviderService[];
  operations: OperationDefinition[];
  /** Settings at the provider, for the registration page. */
  setup: string;
  /**
   * Set: a workspace has made it from a document. Its credentials are sent to its own servers only, and its operations
   * are stored.
   */
  custom?: CustomConnectorInfo;
}

interface CustomConnectorInfo {
  workspaceId: string;
  /** Counts its changes. */
  version: number;
  /** Operations need a credential, unless they are public. */
  needsCredential: boolean;
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

/** A single DNS label: without dot, slash or colon it cannot become another host. */
export const DNS_LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The host of a self-hosted installation. It is allowed only where the user enters the token for it as well. */
export const HOST_NAME_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
export const HOST_NAME_RULE = 'must be the name of a host, such as example.com';

/** The allowed scopes, and the provider's names for them. */
export const availableScopes = ({ scopes, optionalScopes }: ConnectorDefinition): Record<string, string> => ({
  ...scopes,
  ...optionalScopes,
});
