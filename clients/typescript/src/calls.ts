import { paginate } from './pages.js';
import type { HttpTransport } from './transport.js';
import type { CallAnswer, CallOptions, CallParameters, ListPath, HttpMethod, PathWithMethod } from './types.js';

/** The argument after the path. Calls without required parameters may leave it out. */
type CallArguments<Parameters> =
  Record<never, never> extends Parameters
    ? [parameters?: Parameters & CallOptions]
    : [parameters: Parameters & CallOptions];

type ListItem<Answer> = Answer extends { data: (infer Item)[] } ? Item : never;

/** Parameters as the implementation reads them, without the types of a single operation. */
interface UntypedCallParameters extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Every operation of the API is a call of `get`, `post`, `put`, `patch` or `delete` with its path. */
export class ApiCaller {
  readonly #transport: HttpTransport;

  constructor(transport: HttpTransport) {
    this.#transport = transport;
  }

  get<P extends PathWithMethod<'get'>>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'get'>>
  ): Promise<CallAnswer<P, 'get'>> {
    return this.#call<P, 'get'>('get', path, rest[0]);
  }

  post<P extends PathWithMethod<'post'>>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'post'>>
  ): Promise<CallAnswer<P, 'post'>> {
    return this.#call<P, 'post'>('post', path, rest[0]);
  }

  put<P extends PathWithMethod<'put'>>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'put'>>
  ): Promise<CallAnswer<P, 'put'>> {
    return this.#call<P, 'put'>('put', path, rest[0]);
  }

  patch<P extends PathWithMethod<'patch'>>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'patch'>>
  ): Promise<CallAnswer<P, 'patch'>> {
    return this.#call<P, 'patch'>('patch', path, rest[0]);
  }

  delete<P extends PathWithMethod<'delete'>>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'delete'>>
  ): Promise<CallAnswer<P, 'delete'>> {
    return this.#call<P, 'delete'>('delete', path, rest[0]);
  }

  /**
   * All items of a list, page by page, by cursor where the list has one: `for await (const run of
   * weft.all('/api/executions', { query: { status: 'failed' }
   * }))`. A page is read when its first item is asked for; `break` and `signal` end it. The items of a page: `limit`,
   * else 100.
   */
  all<P extends ListPath>(
    path: P,
    ...rest: CallArguments<CallParameters<P, 'get'>>
  ): AsyncGenerator<ListItem<CallAnswer<P, 'get'>>, void, undefined> {
    const given: UntypedCallParameters = rest[0] ?? {};
    type Read = { data: ListItem<CallAnswer<P, 'get'>>[]; total?: number; nextCursor?: string | null };
    return paginate(
      (page) => this.#send('get', path, { ...given, query: { limit: 100, ...given.query, ...page } }) as Promise<Read>,
      given.signal,
    );
  }

  #call<P extends PathWithMethod<M>, M extends HttpMethod>(
    method: M,
    path: P,
    parameters: UntypedCallParameters | undefined,
  ): Promise<CallAnswer<P, M>> {
    return this.#send(method, path, parameters) as Promise<CallAnswer<P, M>>;
  }

  #send(
    method: HttpMethod,
    path: string,
    { path: values = {}, ...rest }: UntypedCallParameters = {},
  ): Promise<unknown> {
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));
    return this.#transport.call({ ...rest, method: method.toUpperCase(), path: filled });
  }
}
