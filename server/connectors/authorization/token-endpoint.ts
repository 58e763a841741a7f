import { request, type OutboundResponse } from '@/server/outbound/outbound';
import { NodeFailure } from '@/server/errors/node-failure';
import { searchedSecrets, textsIn } from '../secrets';
import { readTokenAnswer, tokensIn, type TokenAnswer, type Tokens } from './token-answer';
import { refusalIn, saysNo, tokenRefusal } from './token-refusal';

/** The client that requests tokens, and the endpoint. */
export interface TokenClient {
  /** The workspace whose quota of outbound requests is used. */
  workspaceId: string;
  tokenUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  authentication: 'basic' | 'form';
  /** Further parameters of its requests. */
  parameters?: Record<string, string> | undefined;
}

/**
 * No usable answer. The request may work later, unless `isLasting`. `isAnswered`: the provider said that it was successful, so what can be used
 * once, such as a code, is used up. The message contains no secret.
 */
export class ProviderUnreachable extends Error {
  constructor(
    message: string,
    readonly isLasting = false,
    readonly isAnswered = false,
  ) {
    super(message);
  }
}

/** Tokens are a few kilobytes at most. */
const MAX_BYTES = 48 * 1024;
const TIMEOUT_MS = 15_000;

/** Requests tokens (RFC 6749). Throws TokenRefused or ProviderUnreachable. */
export async function askForTokens(
  client: TokenClient,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const host = new URL(client.tokenUrl).host;
  const { status, body } = await post(client, form, signal);
  const answer = readTokenAnswer(body);
  const sent = { secrets: secretsOf(client, form), isRenewal: form['grant_type'] === 'refresh_token' };
  if (status >= 200 && status < 300) {
    // Some providers refuse with status 200.
    const tokens = saysNo(answer) ? undefined : tokensIn(answer);
    if (tokens) return tokens;
    if (saysNo(answer)) throw tokenRefusal(answer, status, sent);
    throw new ProviderUnreachable(`The answer of ${host} could not be understood: ${lackOf(answer)}.`, false, true);
  }
  const { reason } = tokenRefusal(answer, status, sent);
  if (isNo(status, answer)) throw tokenRefusal(answer, status, sent);
  const words = reason === `HTTP ${status}` ? ' without a usable reason' : `: ${reason}`;
  throw new ProviderUnreachable(`${host} answered ${status}${words}.`);
}

/** Statuses below 500 that say nothing of the request itself. */
const PASSING = [408, 425, 429];

/** Whether an answer is final: a server that is not the right one, or has a bad moment, gives no reason as a token endpoint does. */
function isNo(status: number, answer: TokenAnswer): boolean {
  if (status === 400) return true;
  if (status < 400 || status >= 500 || PASSING.includes(status)) return false;
  return status === 401 || status === 403
    ? answer !== undefined
    : refusalIn(answer).code !== undefined && saysNo(answer);
}

const lackOf = (answer: TokenAnswer): string => (answer ? 'access_token' : 'it is neither JSON nor a form');

async function post(
  client: TokenClient,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<OutboundResponse> {
  const { workspaceId, tokenUrl: url, clientId = '', clientSecret, authentication } = client;
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  };
  const body = new URLSearchParams({ ...client.parameters, ...form });
  if (authentication === 'basic' && clientSecret) {
    // Each half is form-encoded first: RFC 6749, 2.3.1.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers['Authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    if (clientId) body.set('client_id', clientId);
    if (clientSecret) body.set('client_secret', clientSecret);
  }
  try {
    // A redirect would carry the secret to another address.
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, followRedirects: false };
    return await request({ workspaceId, url, method: 'POST', headers, body: body.toString(), signal, ...limits });
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const { code, message } = error;
    const isAnswered = code === 'TOO_LARGE' || code === 'BAD_RESPONSE';
    throw new ProviderUnreachable(message, code === 'EGRESS_DENIED' || code === 'INVALID_URL', isAnswered);
  }
}

/** What was sent and must not be shown. */
function secretsOf({ clientId, clientSecret, parameters }: TokenClient, form: Record<string, string>): string[] {
  const pair = clientSecret === undefined ? undefined : `${clientId ?? ''}:${clientSecret}`;
  const further = textsIn(searchedSecrets({ tokenParameters: parameters }));
  const all = [clientSecret, pair, form['code'], form['code_verifier'], form['refresh_token'], ...further];
  return all.filter((one): one is string => one !== undefined && one !== '');
}
