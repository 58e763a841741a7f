import { WeftTimeoutError } from './errors.js';
import { followRunEvents, type RunEvent } from './events.js';
import { waitUnlessAborted } from './retry.js';
import type { ApiCaller } from './calls.js';
import type { HttpTransport } from './transport.js';
import type { CallAnswer, CallOptions, CallParameters, Execution } from './types.js';

/** A long poll waits at most this long. */
const LONG_POLL_SECONDS = 30;
/** The least time between two polls. A busy service responds at once instead of letting the caller wait. */
const MIN_LONG_POLL_MS = 1000;

export interface WaitOptions extends CallOptions {
  /** Milliseconds. Default: no limit. */
  timeoutMs?: number;
}

export const isFinal = ({ status }: Pick<Execution, 'status'>): boolean =>
  status === 'completed' || status === 'failed';

/** Runs of workflows: the executions of the API. */
export class RunMethods {
  readonly #calls: ApiCaller;
  readonly #transport: HttpTransport;

  constructor(calls: ApiCaller, transport: HttpTransport) {
    this.#calls = calls;
    this.#transport = transport;
  }

  get(id: string, options: CallOptions & { waitSeconds?: number } = {}): Promise<Execution> {
    const { waitSeconds, ...rest } = options;
    const query = waitSeconds === undefined ? {} : { waitSeconds };
    return this.#calls.get('/api/executions/{id}', { path: { id }, query, ...rest });
  }

  /** Lists one page of runs, newest first. */
  list(
    query: NonNullable<CallParameters<'/api/executions', 'get'>['query']> = {},
    options: CallOptions = {},
  ): Promise<CallAnswer<'/api/executions', 'get'>> {
    return this.#calls.get('/api/executions', { query, ...options });
  }

  /** Waits for the end of a run, however it ends. Throws `WeftTimeoutError` when the time is over; the run goes on. */
  async wait(id: string, { timeoutMs = Infinity, ...options }: WaitOptions = {}): Promise<Execution> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const begin = Date.now();
      const leftMs = Math.max(end - begin, 0);
      const waitSeconds = Math.min(LONG_POLL_SECONDS, Math.ceil(leftMs / 1000));
      const run = await this.get(id, { ...options, waitSeconds });
      if (isFinal(run)) return run;
      if (Date.now() >= end) throw new WeftTimeoutError(`${id} has not ended within ${timeoutMs} ms.`);
      const restMs = MIN_LONG_POLL_MS - (Date.now() - begin);
      if (restMs > 0) await waitUnlessAborted(Math.min(restMs, Math.max(end - Date.now(), 0)), options.signal);
    }
  }

  /** The events of a run, live, from its beginning to its end. */
  events(id: string, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<RunEvent, void, undefined> {
    return followRunEvents(this.#transport, id, signal);
  }

  logs(id: string, options: CallOptions = {}): Promise<CallAnswer<'/api/executions/{id}/logs', 'get'>> {
    return this.#calls.get('/api/executions/{id}/logs', { path: { id }, ...options });
  }

  cancel(id: string, options: CallOptions = {}): Promise<CallAnswer<'/api/executions/{id}/cancel', 'post'>> {
    return this.#calls.post('/api/executions/{id}/cancel', { path: { id }, ...options });
  }

  rerun(
    id: string,
    body: CallParameters<'/api/executions/{id}/rerun', 'post'>['body'] = {},
    options: CallOptions = {},
  ): Promise<CallAnswer<'/api/executions/{id}/rerun', 'post'>> {
    return this.#calls.post('/api/executions/{id}/rerun', { path: { id }, body, ...options });
  }
}
