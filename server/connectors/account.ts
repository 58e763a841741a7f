import { z } from 'zod';
import { request } from '@/server/outbound/outbound';
import type { AccountAddress, Connector } from './connector';
import { at } from '@/server/expressions/dotted-path';
import { fill } from './url-template';
import type { Tokens } from './authorization/token-answer';
import { askForTokens, ProviderUnreachable, type TokenClient } from './authorization/token-endpoint';
import { NodeFailure } from '@/server/errors/node-failure';

/** The API address and id of the account that the tokens belong to. */
export interface Account {
  instanceUrl?: string;
  accountId?: string;
}

const TIMEOUT_MS = 10_000;

/** `*.example.com` covers all hosts below it. */
export const isHostOf = (hosts: readonly string[], host: string): boolean =>
  hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

/** The origin of an address that a provider may report for itself; undefined for any other. */
export function trustedOrigin({ hosts }: AccountAddress, address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && isHostOf(hosts, url.hostname) ? url.origin : undefined;
}

/**
 * Reads where an account's API is, if that differs per account, and gets the tokens for it. `isKnown`: the operator set the API's address.
 * Throws ProviderUnreachable if the provider reports no address, or one outside its own hosts.
 */
export async function identifyAccount(
  { account, name }: Connector,
  client: TokenClient,
  tokens: Tokens,
  isKnown: boolean,
  signal: AbortSignal,
): Promise<{ account: Account; tokens: Tokens }> {
  if (!account || isKnown) return { account: {}, tokens };
  const answer = account.from === 'token' ? tokens.answer : await ask(account.from.url, client, tokens, signal);
  const [url, id] = pick(account, answer);
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
    scope: fill(account.thenScope, { instance_url: instanceUrl }),
  };
  const own = await askForTokens(client, form, signal);
  return { account: found, tokens: { ...own, refreshToken: own.refreshToken ?? tokens.refreshToken } };
}

async function ask(template: string, client: TokenClient, tokens: Tokens, signal: AbortSignal): Promise<unknown> {
  const url = fill(template, { token_origin: new URL(client.tokenUrl).origin });
  const headers = { Authorization: `Bearer ${tokens.accessToken}`, Accept: 'application/json' };
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 1024 * 1024, followRedirects: false };
    const { status, body } = await request({ workspaceId: client.workspaceId, url, headers, signal, ...limits });
    if (status === 200) return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof SyntaxError)) throw error;
  }
  throw new ProviderUnreachable(`${new URL(url).host} did not return the account.`);
}

/** Address and id; in a list, of the preferred element, else of the first. */
function pick({ url, id, preferred }: AccountAddress, answer: unknown): unknown[] {
  const [listPath, field] = url.split('[].');
  if (field === undefined) return [at(answer, url), id ? at(answer, id) : undefined];
  const list = at(answer, listPath ?? '');
  if (!Array.isArray(list)) return [];
  const element: unknown = list.find((one) => preferred && at(one, preferred) === true) ?? list[0];
  return [at(element, field), id ? at(element, id.split('[].')[1] ?? id) : undefined];
}
