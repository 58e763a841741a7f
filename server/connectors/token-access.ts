import { setQueryParameter } from '@/server/network/outbound/query';
import { z } from 'zod';
import { getRuntime } from '@/server/platform/runtime';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { slotValues } from './authorization/grant';
import type { ConnectorDefinition, TokenField } from './connector';
import { hostPatternAllows } from '@/server/network/outbound/host-patterns';
import type { OpenCredential } from './open-credential';
import { fillUrlTemplate, templateSlots } from './url-template';

/**
 * The schema of a token's field in a credential's config. Control characters are refused, because tokens are sent in
 * headers.
 */
export function tokenFieldSchema({ title, hint, isSecret, isOptional, pattern, rule }: TokenField): z.ZodType {
  const base = z
    .string()
    .min(1)
    .max(20_000)
    .regex(pattern ?? /^[\x20-\x7e]+$/, { error: rule ?? 'must be one line of plain characters' });
  const field = isOptional ? base.optional() : base;
  return field.meta({ title, description: hint, ...(isSecret ? { 'x-secret': true } : {}) });
}

const fillTokenTemplate = (template: string, config: Record<string, unknown>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(config[name] ?? ''));

/** The addresses of a connector's API for one credential. A slot that a token fills stays. */
const connectorAddresses = (connector: ConnectorDefinition, config: Record<string, unknown>): string[] =>
  [connector.apiUrl, ...Object.values(connector.apis ?? {})].flatMap((address) =>
    address === undefined ? [] : [fillUrlTemplate(address, slotValues(connector, config))],
  );

/** Whether an address is at one of these hosts, by TLS. */
export const isAtHosts = (hosts: readonly string[], url: URL): boolean =>
  url.protocol === 'https:' &&
  hosts.some((host) => host === url.host || (url.port === '' && hostPatternAllows(host, url)));

/**
 * Whether a static token may be sent to an address: only to the provider, and to the address that the operator has set
 * for its API.
 */
function mayReceiveToken(connector: ConnectorDefinition, config: Record<string, unknown>, url: URL): boolean {
  const override = getRuntime().env.connectors[connector.id]?.apiUrl;
  if (override !== undefined) return new URL(override).origin === url.origin;
  const addresses = connectorAddresses(connector, config).filter((address) => URL.canParse(address));
  return addresses.some((address) => new URL(address).origin === url.origin) || isAtHosts(connector.hosts ?? [], url);
}

/** Throws NodeFailure CREDENTIAL_HOST for an address that is none of the credential's connector. */
export function requireTokenReceiver({ config, name }: OpenCredential, connector: ConnectorDefinition, url: URL): void {
  if (mayReceiveToken(connector, config, url)) return;
  const message = `The credential "${name}" may not be sent to ${url.host}: it is one of ${connector.name}.`;
  throw new NodeFailure('CREDENTIAL_HOST', message, false);
}

/** The form of a slot in the path of a parsed address. */
const percentEncodedSlot = (name: string) => `%7B${name}%7D`;

/** Encodes a token for a path, in which a colon stays as it is. */
const encodeTokenForPath = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');

/** Adds a static token to a request. Throws NodeFailure CREDENTIAL_HOST or CREDENTIAL_INCOMPLETE. */
export function attachStaticToken(credential: OpenCredential, receivers: readonly URL[], address: string) {
  const { connector, config, name } = credential;
  const token = connector?.token;
  if (!connector || !token) {
    throw new NodeFailure('CREDENTIAL_INCOMPLETE', `The service of the credential "${name}" takes no token.`, false);
  }
  for (const receiver of receivers) requireTokenReceiver(credential, connector, receiver);
  let url = address;
  const slots = new Set(connectorAddresses(connector, config).flatMap(templateSlots));
  for (const field of token.fields) {
    // Only the first slot is filled, because the author of the workflow writes the rest of the path.
    if (!slots.has(field.name)) continue;
    const target = new URL(url);
    target.pathname = target.pathname.replace(
      percentEncodedSlot(field.name),
      encodeTokenForPath(String(config[field.name])),
    );
    url = target.href;
  }
  for (const [parameter, template] of Object.entries(token.query ?? {})) {
    url = setQueryParameter(url, parameter, fillTokenTemplate(template, config));
  }
  const headers = Object.entries(token.headers ?? {}).map(
    ([header, template]) => [header, fillTokenTemplate(template, config)] as const,
  );
  const basic = token.basic && basicAuthPair(token.basic, config);
  const authorization =
    basic === undefined ? [] : [['Authorization', `Basic ${Buffer.from(basic).toString('base64')}`] as const];
  return { url, added: [...headers, ...authorization] };
}

const basicAuthPair = (
  { username, password }: { username: string; password: string },
  config: Record<string, unknown>,
) => `${fillTokenTemplate(username, config)}:${fillTokenTemplate(password, config)}`;

/** The pair of HTTP basic authentication, which is sent as one base64 text. */
export const tokenBasicPairs = (
  connector: ConnectorDefinition | undefined,
  config: Record<string, unknown>,
): string[] => (connector?.token?.basic ? [basicAuthPair(connector.token.basic, config)] : []);
