import { paginate } from './pages.js';
import type { Transport } from './transport.js';
import type { CallAnswer, CallOptions, CallParameters, ListPath, Method, PathOf } from './types.js';

/** The optional last argument of calls that need nothing. */
type Rest<Parameters> =
  Record<never, never> extends Parameters
    ? [parameters?: Parameters & CallOptions]
    : [parameters: Parameters & CallOptions];

type ItemOf<Answer> = Answer extends { data: (infer Item)[] } ? Item : never;

/** What `#call` reads of any call. */
interface AnyParameters extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Every operation of the API is a call of `get`, `post`, `put`, `patch` or `delete` with its path. */
export class Calls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get<P extends PathOf<'get'>>(path: P, ...rest: Rest<CallParameters<P, 'get'>>): Promise<CallAnswer<P, 'get'>> {
    return this.#call<P, 'get'>('get', path, rest[0]);
  }

  post<P extends PathOf<'post'>>(path: P, ...rest: Rest<CallParameters<P, 'post'>>): Promise<CallAnswer<P, 'post'>> {
    return this.#call<P, 'post'>('post', path, rest[0]);
  }

  put<P extends PathOf<'put'>>(path: P, ...rest: Rest<CallParameters<P, 'put'>>): Promise<CallAnswer<P, 'put'>> {
    return this.#call<P, 'put'>('put', path, rest[0]);
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...rest: Rest<CallParameters<P, 'patch'>>
  ): Promise<CallAnswer<P, 'patch'>> {
    return this.#call<P, 'patch'>('patch', path, rest[0]);
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...rest: Rest<CallParameters<P, 'delete'>>
  ): Promise<CallAnswer<P, 'delete'>> {
    return this.#call<P, 'delete'>('delete', path, rest[0]);
  }

  /**
   * All items of a list, page by page, by cursor where the list has one: `for await (const run of weft.all('/api/executions', { query: {
   * status: 'failed' } }))`. A page is read when its first item is asked for; `break` and `signal` end it. The items of a page: `limit`, else
   * 100.
   */
  all<P extends ListPath>(
    path: P,
    ...rest: Rest<CallParameters<P, 'get'>>
  ): AsyncGenerator<ItemOf<CallAnswer<P, 'get'>>, void, undefined> {
    const given: AnyParameters = rest[0] ?? {};
    type Read = { data: ItemOf<CallAnswer<P, 'get'>>[]; total?: number; nextCursor?: string | null };
    return paginate(
      (page) => this.#send('get', path, { ...given, query: { limit: 100, ...given.query, ...page } }) as Promise<Read>,
      given.signal,
    );
  }

  #call<P extends PathOf<M>, M extends Method>(
    method: M,
    path: P,
    parameters: AnyParameters | undefined,
  ): Promise<CallAnswer<P, M>> {
    return this.#send(method, path, parameters) as Promise<CallAnswer<P, M>>;
  }

  #send(method: Method, path: string, { path: values = {}, ...rest }: AnyParameters = {}): Promise<unknown> {
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));
    return this.#transport.call({ ...rest, method: method.toUpperCase(), path: filled });
  }
}
