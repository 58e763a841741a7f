import { z } from 'zod';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import type { AccountAddress, ConnectorDefinition } from './connector';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { fillUrlTemplate } from './url-template';
import type { GrantedTokens } from './authorization/token-response';
import { requestTokens, ProviderUnreachable, type TokenClient } from './authorization/token-endpoint';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The API address and id of the account that the tokens belong to. */
export interface ProviderAccount {
  instanceUrl?: string;
  accountId?: string;
}

const ACCOUNT_TIMEOUT_MS = 10_000;

/** `*.example.com` covers all hosts below it. */
export const matchesHostPattern = (hosts: readonly string[], host: string): boolean =>
  hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

/** The origin of an address that a provider may report for itself; undefined for any other. */
export function trustedOrigin({ hosts }: AccountAddress, address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && matchesHostPattern(hosts, url.hostname) ? url.origin : undefined;
}

/**
 * Reads where an account's API is, if that differs per account, and gets the tokens for it. `isKnown`: the operator set
 * the API's address. Throws ProviderUnreachable if the provider reports no address, or one outside its own hosts.
 */
export async function identifyAccount(
  { account, name }: ConnectorDefinition,
  client: TokenClient,
  tokens: GrantedTokens,
  isKnown: boolean,
  signal: AbortSignal,
): Promise<{ account: ProviderAccount; tokens: GrantedTokens }> {
  if (!account || isKnown) return { account: {}, tokens };
  const answer =
    account.from === 'token' ? tokens.answer : await requestAccount(account.from.url, client, tokens, signal);
  const [url, id] = pickAddressAndId(account, answer);
  const instanceUrl = trustedOrigin(account, url);
  if (!instanceUrl) throw new ProviderUnreachable(`${name} returned no valid API address for this account.`);
  const accountId =
    id === undefined
      ? undefined
      : z
          .string()
          .regex(/^[\w-]{1,100}$/)
          .safeParse(id).data;
  if (account.id && !accountId) throw new ProviderUnreachable(`${name} returned no account.`);
  const found = { instanceUrl, accountId };
  if (!account.thenScope) return { account: found, tokens };
  if (!tokens.refreshToken) throw new ProviderUnreachable(`${name} returned no refresh token.`);
  const form = {
    grant_type: 'refresh_token',
    refresh_token: tokens.refreshToken,
    scope: fillUrlTemplate(account.thenScope, { instance_url: instanceUrl }),
  };
  const own = await requestTokens(client, form, signal);
  return { account: found, tokens: { ...own, refreshToken: own.refreshToken ?? tokens.refreshToken } };
}

async function requestAccount(
  template: string,
  client: TokenClient,
  tokens: GrantedTokens,
  signal: AbortSignal,
): Promise<unknown> {
  const url = fillUrlTemplate(template, { token_origin: new URL(client.tokenUrl).origin });
  const headers = { Authorization: `Bearer ${tokens.accessToken}`, Accept: 'application/json' };
  try {
    const limits = { timeoutMs: ACCOUNT_TIMEOUT_MS, maxBytes: 1024 * 1024, followRedirects: false };
    const { status, body } = await sendOutboundRequest({
      workspaceId: client.workspaceId,
      url,
      headers,
      signal,
      ...limits,
    });
    if (status === 200) return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof SyntaxError)) throw error;
  }
  throw new ProviderUnreachable(`${new URL(url).host} did not return the account.`);
}

/** Address and id; in a list, of the preferred element, else of the first. */
function pickAddressAndId({ url, id, preferred }: AccountAddress, answer: unknown): unknown[] {
  const [listPath, field] = url.split('[].');
  if (field === undefined) return [getAtPath(answer, url), id ? getAtPath(answer, id) : undefined];
  const list = getAtPath(answer, listPath ?? '');
  if (!Array.isArray(list)) return [];
  const element: unknown = list.find((one) => preferred && getAtPath(one, preferred) === true) ?? list[0];
  return [getAtPath(element, field), id ? getAtPath(element, id.split('[].')[1] ?? id) : undefined];
}
