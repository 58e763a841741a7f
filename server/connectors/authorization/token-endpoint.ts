import { z } from 'zod';
import { request, type OutboundResponse } from '@/server/outbound/outbound';
import { NodeFailure } from '@/server/errors/node-failure';

/** The client that requests tokens, and the endpoint. */
export interface TokenClient {
  /** The workspace whose quota of outbound requests is used. */
  workspaceId: string;
  tokenUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  authentication: 'basic' | 'form';
}

/** A provider's grant. */
export interface Tokens {
  accessToken: string;
  /** Undefined: the previous one, if any, stays valid. */
  refreshToken: string | undefined;
  /** Seconds; undefined: not in the answer. */
  expiresIn: number | undefined;
  /** The whole answer; some providers include an account's address. */
  answer: Record<string, unknown>;
}

/** The provider refused. `error` is its error code, safe to show. */
export class TokenRefused extends Error {
  constructor(readonly error: string) {
    super(`The provider refused: ${error}`);
  }
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
const LONGEST_LIFETIME = 10 * 365 * 86_400;

/** Tokens go into headers: characters that could begin another header are refused. */
const Token = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/^[\x20-\x7e]+$/);
const Lifetime = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.number().positive().max(LONGEST_LIFETIME));
const Answer = z.looseObject({
  access_token: Token,
  refresh_token: Token.nullish(),
  // Slack says "bot" for the token of a bot; it is sent as bearer token as well.
  token_type: z
    .string()
    .regex(/^(bearer|bot)$/i)
    .nullish(),
  expires_in: Lifetime.nullish(),
});

/** Requests tokens (RFC 6749). Throws TokenRefused or ProviderUnreachable. */
export async function askForTokens(
  client: TokenClient,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<Tokens> {
  const host = new URL(client.tokenUrl).host;
  const response = await post(client, form, signal);
  const answer = objectIn(response);
  if (response.status >= 200 && response.status < 300) return tokensIn(answer, host, secretsOf(client, form));
  const isNo = response.status === 400 || ((response.status === 401 || response.status === 403) && answer);
  if (isNo) throw new TokenRefused(refusalIn(answer, response.status, secretsOf(client, form)));
  throw new ProviderUnreachable(`${host} answered ${response.status} without a usable reason.`);
}

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
  const body = new URLSearchParams(form);
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

/** Parses the response as an object, independent of its content type; undefined for HTML and other text. */
function objectIn({ body }: OutboundResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function tokensIn(answer: Record<string, unknown> | undefined, host: string, secrets: string[]): Tokens {
  // Some providers refuse with status 200.
  if (answer && typeof answer['error'] === 'string') throw new TokenRefused(refusalIn(answer, 200, secrets));
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) {
    const wrong = answer ? parsed.error.issues.map(({ path }) => path.join('.')).join(', ') : 'it is not a JSON object';
    throw new ProviderUnreachable(`The answer of ${host} could not be understood: ${wrong}.`, false, true);
  }
  const { access_token, refresh_token, expires_in } = parsed.data;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? undefined,
    expiresIn: expires_in ?? undefined,
    answer: parsed.data,
  };
}

const secretsOf = ({ clientSecret }: TokenClient, form: Record<string, string>): string[] =>
  [clientSecret, form['code'], form['code_verifier'], form['refresh_token']].filter((one) => one !== undefined);

/** The provider's error code, if it has the form of one. Other text may contain anything, including the request's secrets. */
function refusalIn(answer: Record<string, unknown> | undefined, status: number, secrets: string[]): string {
  const errorCode = [answer?.['error'], answer?.['status'], answer?.['category']].find(
    (word) => typeof word === 'string',
  );
  const isWord = typeof errorCode === 'string' && /^[\w.:-]{1,80}$/.test(errorCode);
  const isSent = (word: string) => secrets.some((secret) => secret.includes(word) || word.includes(secret));
  return isWord && !isSent(errorCode) ? errorCode : `HTTP ${status}`;
}
