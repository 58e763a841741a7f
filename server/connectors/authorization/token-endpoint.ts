import { sendOutboundRequest, type OutboundResponse } from '@/server/network/outbound/outbound';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { redactableSecrets, collectSecretTexts } from '../secrets';
import { parseTokenResponse, extractTokens, type TokenResponse, type GrantedTokens } from './token-response';
import { extractRefusal, isTokenRefusal, toTokenRefused } from './token-refusal';

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
 * The provider gave no usable response. The request may work later, unless `isLasting`. `isAnswered`: the provider
 * reported success, so what can be used once, such as a code, is used up. The message contains no secret.
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
const MAX_TOKEN_RESPONSE_BYTES = 48 * 1024;
const TOKEN_TIMEOUT_MS = 15_000;

/** Requests tokens (RFC 6749). Throws TokenRefused or ProviderUnreachable. */
export async function requestTokens(
  client: TokenClient,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<GrantedTokens> {
  const host = new URL(client.tokenUrl).host;
  const { status, body } = await postTokenRequest(client, form, signal);
  const answer = parseTokenResponse(body);
  const sent = { secrets: sentSecrets(client, form), isRenewal: form['grant_type'] === 'refresh_token' };
  if (status >= 200 && status < 300) {
    // Some providers refuse with status 200.
    const tokens = isTokenRefusal(answer) ? undefined : extractTokens(answer);
    if (tokens) return tokens;
    if (isTokenRefusal(answer)) throw toTokenRefused(answer, status, sent);
    throw new ProviderUnreachable(
      `The answer of ${host} could not be understood: ${describeMissingToken(answer)}.`,
      false,
      true,
    );
  }
  const { reason } = toTokenRefused(answer, status, sent);
  if (isFinalRefusal(status, answer)) throw toTokenRefused(answer, status, sent);
  const words = reason === `HTTP ${status}` ? ' without a usable reason' : `: ${reason}`;
  throw new ProviderUnreachable(`${host} answered ${status}${words}.`);
}

/** Statuses below 500 that do not judge the request itself, so that it may succeed later. */
const TRANSIENT_STATUSES = [408, 425, 429];

/**
 * Whether a refusal is final. A wrong server, or one in trouble, does not give a reason in the way of a token endpoint.
 */
function isFinalRefusal(status: number, answer: TokenResponse): boolean {
  if (status === 400) return true;
  if (status < 400 || status >= 500 || TRANSIENT_STATUSES.includes(status)) return false;
  return status === 401 || status === 403
    ? answer !== undefined
    : extractRefusal(answer).code !== undefined && isTokenRefusal(answer);
}

const describeMissingToken = (answer: TokenResponse): string =>
  answer ? 'access_token' : 'it is neither JSON nor a form';

async function postTokenRequest(
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
    const limits = { timeoutMs: TOKEN_TIMEOUT_MS, maxBytes: MAX_TOKEN_RESPONSE_BYTES, followRedirects: false };
    return await sendOutboundRequest({
      workspaceId,
      url,
      method: 'POST',
      headers,
      body: body.toString(),
      signal,
      ...limits,
    });
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const { code, message } = error;
    const isAnswered = code === 'TOO_LARGE' || code === 'BAD_RESPONSE';
    throw new ProviderUnreachable(message, code === 'EGRESS_DENIED' || code === 'INVALID_URL', isAnswered);
  }
}

/** The secrets of the request, which must not appear in messages. */
function sentSecrets({ clientId, clientSecret, parameters }: TokenClient, form: Record<string, string>): string[] {
  const pair = clientSecret === undefined ? undefined : `${clientId ?? ''}:${clientSecret}`;
  const further = collectSecretTexts(redactableSecrets({ tokenParameters: parameters }));
  const all = [clientSecret, pair, form['code'], form['code_verifier'], form['refresh_token'], ...further];
  return all.filter((one): one is string => one !== undefined && one !== '');
}
