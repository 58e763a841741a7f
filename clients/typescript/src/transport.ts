import { readErrorResponse, WeftConnectionError, WeftError } from './errors.js';
import { RETRY_DELAYS_MS, sendWithRetries, type RetriedResponse } from './retry.js';
import type { CallOptions } from './types.js';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

export interface ClientOptions {
  /** The address of the service, such as `https://weft.example.com`. */
  url: string;
  /** An API key (`wk_…`). Either this or `tokens`. */
  apiKey?: string | undefined;
  /** Tokens of a sign-in, renewed when they expire. */
  tokens?: Tokens | undefined;
  /** Receives renewed tokens. The old ones are void then. */
  onTokens?: ((tokens: Tokens) => void | Promise<void>) | undefined;
  /** The workspace of the calls, for people in several. API keys belong to one. */
  workspaceId?: string | undefined;
  /** Milliseconds for one request, its answer included. Default: 90,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds before each repetition of a request. Default: 1,000, 2,000 and 4,000. */
  retryDelaysMs?: readonly number[] | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

export interface TransportRequest extends CallOptions {
  method: string;
  /** The path with its parameters filled in, without the query. */
  path: string;
  query?: Record<string, unknown> | undefined;
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  /** In place of `body`: bytes of any type. */
  content?: RequestContent | undefined;
  /** The request has no time limit; only the caller's signal ends it. */
  isTransfer?: boolean;
  /** Default: `follow`. */
  redirect?: RequestRedirect;
}

/** The bytes of a request. */
export interface RequestContent {
  type: string;
  /** Opens the body for each attempt. */
  open: () => OpenedBody;
  /** False: it can be opened once. */
  isRepeatable: boolean;
}

/** The body of one attempt. */
export interface OpenedBody {
  body: Blob | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | null;
  /** Errors of the caller's stream. Platforms report them as network errors, or not at all. */
  failures?: readonly unknown[];
}

/** Sends calls: authentication, JSON, time limit, retries, renewal of tokens. */
export class HttpTransport {
  readonly #options: ClientOptions;
  readonly #base: string;
  #tokens: Tokens | undefined;
  #renewal: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = new URL(options.url).href.replace(/\/+$/, '');
    this.#tokens = options.tokens;
  }

  /** An address of the service: a path after its URL. */
  address(path: string): URL {
    // Otherwise it could change the host, to which the key is sent.
    if (!path.startsWith('/')) throw new TypeError(`A path begins with a slash: ${path}`);
    return new URL(this.#base + path);
  }

  /** What authenticates: the API key or the access token. */
  get token(): string | undefined {
    return this.#options.apiKey ?? this.#tokens?.accessToken;
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  get retryDelaysMs(): readonly number[] {
    return this.#options.retryDelaysMs ?? RETRY_DELAYS_MS;
  }

  /** The JSON of the answer; undefined: it has no body. Throws `WeftError` and `WeftConnectionError`. */
  async call(call: TransportRequest): Promise<unknown> {
    const { response, isUncertain } = await this.send(call);
    // An earlier attempt, whose response did not arrive, has deleted it.
    if (response.status === 404 && isUncertain && call.method === 'DELETE') return undefined;
    if (!response.ok) throw await readErrorResponse(response);
    const text = await response.text();
    if (text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const requestId = response.headers.get('x-request-id');
      throw new WeftError(
        'UNKNOWN',
        'The answer is not JSON: is this the address of Weft?',
        response.status,
        [],
        requestId,
      );
    }
  }

  /** The answer, whatever its status. Throws `WeftConnectionError`. */
  async send(call: TransportRequest): Promise<RetriedResponse> {
    const headers = buildRequestHeaders(call);
    const isOnce = call.content?.isRepeatable === false;
    // Expired tokens are renewed before, because the bytes cannot be sent a second time.
    if (isOnce && this.#tokens) await this.call({ method: 'GET', path: '/api/auth/me', signal: call.signal });
    const used = this.token;
    const sent = await this.#attempt(call, headers);
    if (sent.response.status !== 401 || !this.#tokens || isOnce || isSignInPath(call.path)) return sent;
    await sent.response.body?.cancel();
    if (this.token === used) await this.renew();
    return this.#attempt(call, headers);
  }

  /** Replaces expired tokens; concurrent calls share one renewal, because a refresh token works once. */
  renew(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #renew(): Promise<void> {
    const body = { refreshToken: this.#tokens?.refreshToken ?? '' };
    const { accessToken, refreshToken } = (await this.call({
      method: 'POST',
      path: '/api/auth/refresh',
      body,
    })) as Tokens;
    this.#tokens = { accessToken, refreshToken };
    await this.#options.onTokens?.(this.#tokens);
  }

  #attempt(call: TransportRequest, headers: Headers): Promise<RetriedResponse> {
    const url = this.address(call.path);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    if (this.token) headers.set('authorization', `Bearer ${this.token}`);
    if (this.#options.workspaceId) headers.set('x-workspace-id', this.#options.workspaceId);
    const { method, content, signal } = call;
    return sendWithRetries({
      send: () => this.#once(url, headers, call),
      isRepeatable: ['GET', 'DELETE'].includes(method) || headers.has('idempotency-key'),
      delaysMs: content?.isRepeatable === false ? [] : this.retryDelaysMs,
      signal,
    });
  }

  async #once(url: URL, headers: Headers, call: TransportRequest): Promise<Response> {
    const { method, content, signal, isTransfer, redirect = 'follow' } = call;
    const json = call.body === undefined ? null : JSON.stringify(call.body);
    const opened: OpenedBody = content?.open() ?? { body: json };
    const { body, failures = [] } = opened;
    // Platforms require `half` for streams: the response is read after the body is sent.
    const request = { method, headers, body, duplex: 'half', redirect };
    const { timeoutMs = 90_000, fetch = globalThis.fetch } = this.#options;
    const limit = isTransfer ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [signal, limit].filter((one) => one !== undefined);
    try {
      return await fetch(url, { ...request, signal: AbortSignal.any(signals) });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (failures.length > 0) throw failures[0];
      if (limit?.aborted) throw new WeftConnectionError(`No answer within ${timeoutMs} ms.`, { cause });
      throw new WeftConnectionError(`${url.origin} can not be reached.`, { cause });
    }
  }
}

const isSignInPath = (path: string) => path === '/api/auth/login' || path === '/api/auth/refresh';

function buildRequestHeaders({
  method,
  path,
  body,
  content,
  isTransfer,
  headers,
  idempotencyKey,
}: TransportRequest): Headers {
  const all = new Headers(headers);
  if (!isTransfer) all.set('accept', 'application/json');
  if (content) all.set('content-type', content.type);
  else if (body !== undefined) all.set('content-type', 'application/json');
  // The service keeps replies for signed-in callers only.
  const isKept = (method === 'POST' || method === 'PUT') && !isSignInPath(path);
  const key = idempotencyKey ?? (isKept ? crypto.randomUUID() : undefined);
  if (key !== undefined) all.set('idempotency-key', key);
  return all;
}
