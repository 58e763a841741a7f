import { z } from 'zod';
import { NodeFailure } from '../nodes/node';
import { request } from '../outbound';
import type { AccountAddress, Connector } from './connector';
import { at, fill } from './slots';
import { askForTokens, ProviderUnreachable, type TokenClient, type Tokens } from './token-endpoint';

/** The API address and id that belong to the account whose tokens these are. */
export interface Account {
  instanceUrl?: string;
  accountId?: string;
}

const TIMEOUT_MS = 10_000;

/** `*.example.com` covers what is below. */
export const isHostOf = (hosts: readonly string[], host: string): boolean =>
  hosts.some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern));

/** The origin of an address that a provider may name as its own; undefined for anything else. */
export function believed({ hosts }: AccountAddress, address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && isHostOf(hosts, url.hostname) ? url.origin : undefined;
}

/**
 * Learns where an account's API is, where that differs per account, and gets the tokens for it. `isKnown`: the operator
 * set the API's address. Throws ProviderUnreachable when the provider names no address, or none of its own.
 */
export async function settleAccount(
  { account, name }: Connector,
  client: TokenClient,
  tokens: Tokens,
  isKnown: boolean,
  signal: AbortSignal,
): Promise<{ account: Account; tokens: Tokens }> {
  if (!account || isKnown) return { account: {}, tokens };
  const answer = account.from === 'token' ? tokens.answer : await ask(account.from.url, client, tokens, signal);
  const [url, id] = pick(account, answer);
  const instanceUrl = believed(account, url);
  if (!instanceUrl) throw new ProviderUnreachable(`${name} named no API address of its own for this account.`);
  const accountId =
    id === undefined
      ? undefined
      : z
          .string()
          .regex(/^[\w-]{1,100}$/)
          .safeParse(id).data;
  if (account.id && !accountId) throw new ProviderUnreachable(`${name} named no account.`);
  const found = { instanceUrl, accountId };
  if (!account.thenScope) return { account: found, tokens };
  if (!tokens.refreshToken) throw new ProviderUnreachable(`${name} gave no refresh token.`);
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
    const { status, body } = await request({ url, headers, signal, ...limits });
    if (status === 200) return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof NodeFailure || error instanceof SyntaxError)) throw error;
  }
  throw new ProviderUnreachable(`${new URL(url).host} did not say which account this is.`);
}

/** Address and id; in a list, of the preferred element, else of the first. */
function pick({ url, id, preferred }: AccountAddress, answer: unknown): unknown[] {
  const [listPath, field] = url.split('[].');
  if (field === undefined) return [at(answer, url), id ? at(answer, id) : undefined];
  const list = at(answer, listPath ?? '');
  if (!Array.isArray(list)) return [];
  const chosen: unknown = list.find((one) => preferred && at(one, preferred) === true) ?? list[0];
  return [at(chosen, field), id ? at(chosen, id.split('[].')[1] ?? id) : undefined];
}
