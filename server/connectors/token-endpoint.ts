import { z } from 'zod';
import { NodeFailure } from '../nodes/node';
import { request, type OutboundResponse } from '../outbound';

/** Who asks, and where. */
export interface TokenClient {
  tokenUrl: string;
  clientId: string | undefined;
  clientSecret: string | undefined;
  authentication: 'basic' | 'form';
}

/** What a provider granted. */
export interface Tokens {
  accessToken: string;
  /** Undefined: the one that was used, if any, stays good. */
  refreshToken: string | undefined;
  /** Seconds; undefined: it didn't say. */
  expiresIn: number | undefined;
  /** The whole answer; some providers put an account's address in it. */
  answer: Record<string, unknown>;
}

/** The provider said no. `error` is its word for it, safe to show. */
export class TokenRefused extends Error {
  constructor(readonly error: string) {
    super(`The provider refused: ${error}`);
  }
}

/** No usable answer came; the same may work later, unless `isLasting`. The message names no secret. */
export class ProviderUnreachable extends Error {
  constructor(
    message: string,
    readonly isLasting = false,
  ) {
    super(message);
  }
}

/** Tokens are a few kilobytes at most. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 15_000;
const LONGEST_LIFETIME = 10 * 365 * 86_400;

/** Tokens go into headers: no character that could begin another one. */
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
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .nullish(),
  expires_in: Lifetime.nullish(),
});

/** Asks a token endpoint (RFC 6749). Throws TokenRefused or ProviderUnreachable. */
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
  const { clientId = '', clientSecret, authentication } = client;
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  };
  const body = new URLSearchParams(form);
  if (authentication === 'basic' && clientSecret) {
    // Each half form-encoded first: RFC 6749, 2.3.1.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers['Authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    if (clientId) body.set('client_id', clientId);
    if (clientSecret) body.set('client_secret', clientSecret);
  }
  try {
    // A redirect would carry the secret to wherever it points.
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, followRedirects: false };
    return await request({ url: client.tokenUrl, method: 'POST', headers, body: body.toString(), signal, ...limits });
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    throw new ProviderUnreachable(error.message, error.code === 'EGRESS_DENIED' || error.code === 'INVALID_URL');
  }
}

/** The answer as an object, whatever it says that it is; undefined for HTML and the like. */
function objectIn({ body }: OutboundResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return z.record(z.string(), z.unknown()).safeParse(value).data;
  } catch {
    return undefined;
  }
}

function tokensIn(answer: Record<string, unknown> | undefined, host: string, secrets: string[]): Tokens {
  // Some say no with a 200.
  if (answer && typeof answer['error'] === 'string') throw new TokenRefused(refusalIn(answer, 200, secrets));
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) {
    const wrong = answer ? parsed.error.issues.map(({ path }) => path.join('.')).join(', ') : 'it is no JSON object';
    throw new ProviderUnreachable(`The answer of ${host} could not be understood: ${wrong}.`);
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

/** The provider's error word, if it is one: what else it says may hold anything, what was sent to it included. */
function refusalIn(answer: Record<string, unknown> | undefined, status: number, secrets: string[]): string {
  const said = [answer?.['error'], answer?.['status'], answer?.['category']].find((word) => typeof word === 'string');
  const isWord = typeof said === 'string' && /^[\w.:-]{1,80}$/.test(said);
  const isSent = (word: string) => secrets.some((secret) => secret.includes(word) || word.includes(secret));
  return isWord && !isSent(said) ? said : `HTTP ${status}`;
}
