import { setParameter } from '@/server/outbound/query';
import { z } from 'zod';
import { runtime } from '@/server/runtime';
import { NodeFailure } from '@/server/errors/node-failure';
import { slotsFrom } from './authorization/grant';
import type { Connector, TokenField } from './connector';
import { allows } from './hosts';
import type { OpenCredential } from './open-credential';
import { fill, slotsOf } from './url-template';

/** A field as a part of a credential's config. Tokens go into headers: control characters are refused. */
export function tokenField({ title, hint, isSecret, isOptional, pattern, rule }: TokenField): z.ZodType {
  const base = z
    .string()
    .min(1)
    .max(20_000)
    .regex(pattern ?? /^[\x20-\x7e]+$/, { error: rule ?? 'must be one line of plain characters' });
  const field = isOptional ? base.optional() : base;
  return field.meta({ title, description: hint, ...(isSecret ? { 'x-secret': true } : {}) });
}

const filled = (template: string, config: Record<string, unknown>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(config[name] ?? ''));

/** The addresses of a connector's API for one credential. A slot that a token fills stays. */
const addressesOf = (connector: Connector, config: Record<string, unknown>): string[] =>
  [connector.apiUrl, ...Object.values(connector.apis ?? {})].flatMap((address) =>
    address === undefined ? [] : [fill(address, slotsFrom(connector, config))],
  );

/** Whether an address is at one of these hosts, by TLS. */
export const isAt = (hosts: readonly string[], url: URL): boolean =>
  url.protocol === 'https:' && hosts.some((host) => host === url.host || (url.port === '' && allows(host, url)));

/** Whether a static token may be sent to an address: only to the provider, and to the address that the operator has set for its API. */
function mayReceive(connector: Connector, config: Record<string, unknown>, url: URL): boolean {
  const override = runtime().env.connectors[connector.id]?.apiUrl;
  if (override !== undefined) return new URL(override).origin === url.origin;
  const addresses = addressesOf(connector, config).filter((address) => URL.canParse(address));
  return addresses.some((address) => new URL(address).origin === url.origin) || isAt(connector.hosts ?? [], url);
}

/** Throws NodeFailure CREDENTIAL_HOST for an address that is none of the credential's connector. */
export function requireReceiver({ config, name }: OpenCredential, connector: Connector, url: URL): void {
  if (mayReceive(connector, config, url)) return;
  const message = `The credential "${name}" may not be sent to ${url.host}: it is one of ${connector.name}.`;
  throw new NodeFailure('CREDENTIAL_HOST', message, false);
}

/** How a slot looks in the path of a parsed address. */
const escapedSlot = (name: string) => `%7B${name}%7D`;

/** Characters of a token that a path keeps. */
const encoded = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');

/** Adds a static token to a request. Throws NodeFailure CREDENTIAL_HOST or CREDENTIAL_INCOMPLETE. */
export function attachToken(credential: OpenCredential, receivers: readonly URL[], address: string) {
  const { connector, config, name } = credential;
  const token = connector?.token;
  if (!connector || !token) {
    throw new NodeFailure('CREDENTIAL_INCOMPLETE', `The service of the credential "${name}" takes no token.`, false);
  }
  for (const receiver of receivers) requireReceiver(credential, connector, receiver);
  let url = address;
  const slots = new Set(addressesOf(connector, config).flatMap(slotsOf));
  for (const field of token.fields) {
    // Only the first one: the rest of the path is written by the author of the workflow.
    if (!slots.has(field.name)) continue;
    const target = new URL(url);
    target.pathname = target.pathname.replace(escapedSlot(field.name), encoded(String(config[field.name])));
    url = target.href;
  }
  for (const [parameter, template] of Object.entries(token.query ?? {})) {
    url = setParameter(url, parameter, filled(template, config));
  }
  const headers = Object.entries(token.headers ?? {}).map(
    ([header, template]) => [header, filled(template, config)] as const,
  );
  const basic = token.basic && pairOf(token.basic, config);
  const authorization =
    basic === undefined ? [] : [['Authorization', `Basic ${Buffer.from(basic).toString('base64')}`] as const];
  return { url, added: [...headers, ...authorization] };
}

const pairOf = ({ username, password }: { username: string; password: string }, config: Record<string, unknown>) =>
  `${filled(username, config)}:${filled(password, config)}`;

/** The pair of HTTP basic authentication, which is sent as one base64 text. */
export const tokenPair = (connector: Connector | undefined, config: Record<string, unknown>): string[] =>
  connector?.token?.basic ? [pairOf(connector.token.basic, config)] : [];
