import type { FieldError } from '@/contract/error';
import { runtime } from '../runtime';
import { challengeOf } from './attempts';
import { scopesOf, type Connector } from './connector';
import { slotsFrom } from './grant';
import type { Registration } from './registration';
import { fill, slotsOf } from './slots';

/** The callback of a desktop client: its own machine, whatever the port. */
const LOOPBACK = /^http:\/\/localhost:([1-9]\d{0,4})\/oauth\/callback$/;

/** Where the provider may send the code: this service, or the caller's own machine. */
export function redirectIssues(uri: string | undefined): FieldError[] {
  if (uri === undefined || uri === runtime().env.oauthRedirectUrl) return [];
  const [, port] = LOOPBACK.exec(uri) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return [];
  const message = `must be ${runtime().env.oauthRedirectUrl} or http://localhost:<port>/oauth/callback`;
  return [{ field: 'redirect_uri', message }];
}

/** What is wrong with the values for a connector's slots. */
export function parameterIssues({ parameters = [] }: Connector, given: Record<string, string>): FieldError[] {
  const unknown = Object.keys(given).filter((name) => !parameters.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => ({ field: `additional_params.${name}`, message: 'is not a known field' })),
    ...parameters.flatMap(({ name, required, pattern, rule }) => {
      const value = given[name];
      const field = `additional_params.${name}`;
      if (value === undefined) return required ? [{ field, message: 'is required' }] : [];
      return pattern.test(value) ? [] : [{ field, message: rule }];
    }),
  ];
}

export function scopeIssues(connector: Connector, scopes: string[] = []): FieldError[] {
  const known = scopesOf(connector);
  const message = `is not one of ${Object.keys(known).join(', ')}`;
  return scopes.flatMap((scope, index) =>
    Object.hasOwn(known, scope) ? [] : [{ field: `scopes[${index}]`, message }],
  );
}

/** The address that a person's browser is sent to. */
export function authorizationUrl(
  connector: Connector,
  registration: Registration,
  given: { params: Record<string, string>; scopes: string[]; state: string; verifier: string; redirectUri: string },
): string {
  const template = registration.authorizeUrl ?? connector.authorizeUrl ?? '';
  const address = fill(template, slotsFrom(connector, given.params));
  if (slotsOf(address).length > 0) throw new Error(`${connector.id} leaves slots of its authorization address open`);
  const known = scopesOf(connector);
  const asked = [...given.scopes.map((scope) => known[scope] ?? ''), connector.impliedScopes ?? '']
    .join(' ')
    .split(' ');
  const scope = [...new Set(asked.filter(Boolean))].join(connector.scopeSeparator ?? ' ');
  const url = new URL(address);
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: registration.clientId,
    redirect_uri: given.redirectUri,
    ...(scope ? { scope } : {}),
    state: given.state,
    code_challenge: challengeOf(given.verifier),
    code_challenge_method: 'S256',
    ...connector.authorizeParams,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  // `+` for a blank is a form's way; in an address not every provider reads it so.
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
