import type { FieldIssue } from '@/contract/error-response';
import { getRuntime } from '@/server/platform/runtime';
import { pkceChallenge } from './attempts';
import { availableScopes, type ConnectorDefinition } from '../connector';
import { slotValues } from './grant';
import type { AppRegistration } from './registration';
import { fillUrlTemplate, templateSlots } from '../url-template';

/** The callback of a desktop client: its own machine, any port. */
const LOOPBACK_REDIRECT = /^http:\/\/localhost:([1-9]\d{0,4})\/oauth\/callback$/;

/** Where the provider may send the code: this service, or the caller's own machine. */
export function redirectUriIssues(uri: string | undefined): FieldIssue[] {
  if (uri === undefined || uri === getRuntime().env.oauthRedirectUrl) return [];
  const [, port] = LOOPBACK_REDIRECT.exec(uri) ?? [];
  if (port !== undefined && Number(port) <= 65_535) return [];
  const message = `must be ${getRuntime().env.oauthRedirectUrl} or http://localhost:<port>/oauth/callback`;
  return [{ field: 'redirect_uri', message }];
}

/** Validation issues of the values for a connector's slots. */
export function addressSlotIssues(
  { parameters = [] }: ConnectorDefinition,
  values: Record<string, string>,
): FieldIssue[] {
  const unknown = Object.keys(values).filter((name) => !parameters.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => ({ field: `additional_params.${name}`, message: 'is not a known field' })),
    ...parameters.flatMap(({ name, required, pattern, rule }) => {
      const value = values[name];
      const field = `additional_params.${name}`;
      if (value === undefined) return required ? [{ field, message: 'is required' }] : [];
      return pattern.test(value) ? [] : [{ field, message: rule }];
    }),
  ];
}

export function scopeIssues(connector: ConnectorDefinition, scopes: string[] = []): FieldIssue[] {
  const available = availableScopes(connector);
  const message = `is not one of ${Object.keys(available).join(', ')}`;
  return scopes.flatMap((scope, index) =>
    Object.hasOwn(available, scope) ? [] : [{ field: `scopes[${index}]`, message }],
  );
}

/** The authorization address for a user's browser. */
export function buildAuthorizationUrl(
  connector: ConnectorDefinition,
  registration: AppRegistration,
  request: { params: Record<string, string>; scopes: string[]; state: string; verifier: string; redirectUri: string },
): string {
  const template = registration.authorizeUrl ?? connector.authorizeUrl ?? '';
  const address = fillUrlTemplate(template, slotValues(connector, request.params));
  if (templateSlots(address).length > 0)
    throw new Error(`${connector.id} leaves slots of its authorization address open`);
  const available = availableScopes(connector);
  const scopes = [...request.scopes.map((scope) => available[scope] ?? ''), connector.impliedScopes ?? '']
    .join(' ')
    .split(' ');
  const scope = [...new Set(scopes.filter(Boolean))].join(connector.scopeSeparator ?? ' ');
  const url = new URL(address);
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: registration.clientId,
    redirect_uri: request.redirectUri,
    ...(scope ? { scope } : {}),
    state: request.state,
    code_challenge: pkceChallenge(request.verifier),
    code_challenge_method: 'S256',
    ...connector.authorizeParams,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  // `+` for a blank is valid in forms only; not every provider decodes it in an address.
  url.search = url.search.replaceAll('+', '%20');
  return url.href;
}
