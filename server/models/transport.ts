import { setImmediate as breathe } from 'node:timers/promises';
import { NodeFailure } from '@/server/errors/node-failure';
import { answerOf } from '@/server/outbound/answer';
import { refusalIn, retryAfterOf } from '@/server/outbound/content';
import { request, type OutboundRequest, type OutboundResponse, type Sink } from '@/server/outbound/outbound';
import type { Redactor } from '@/server/redaction/redactor';
import { exactBody } from '@/server/model-libraries/exact-arguments';
import type { Fetch } from '@/server/model-libraries/providers';
import { EventGate, HeavyAnswer, isHeavy } from './heavy-answer';

/** Maximum size of an answer. Models write less: 128,000 tokens are half a megabyte. */
export const MAX_MODEL_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_REASON = 500;

/** Who calls, and what for. */
export interface Caller {
  workspaceId: string;
  signal: AbortSignal;
  /** Removes secrets from error texts. */
  secrets: Redactor;
  reserve?: (bytes: number) => Promise<void>;
}

/** A larger answer waits for memory. */
const LARGE_BYTES = 256 * 1024;

/** The way out for the libraries of providers: the connections, limits and rules of `server/outbound`. */
export const outboundFetch =
  (provider: string, caller: Caller): Fetch =>
  async (input, init) => {
    const answer = await request(outboundOf(caller, input, init));
    if (!isSuccess(answer.status)) throw statusFailure(provider, answer, caller.secrets);
    const type = answer.headers['content-type'] ?? 'application/json';
    if (isHeavy(answer.body)) throw new HeavyAnswer(Promise.resolve(answer.body), type);
    return new Response(exactBody(answer.body, type), { status: answer.status, headers: { 'content-type': type } });
  };

/**
 * The same for answers that are read while they arrive. A reader that cancels ends the call. The library reads a few events at a time; before
 * an event that is too heavy for it, it gets HeavyAnswer, and all of the answer is read elsewhere.
 */
export const streamingFetch =
  (provider: string, caller: Caller): Fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
      const cancelled = new AbortController();
      const parts: Buffer[] = [];
      const sink: Sink = {
        maxBytes: MAX_MODEL_ANSWER_BYTES,
        accepts: isSuccess,
        async receive({ headers }, body) {
          const type = headers['content-type'] ?? 'text/event-stream';
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => void (reader = controller),
            cancel() {
              // A cancelled stream does not accept its end.
              reader = undefined;
              cancelled.abort();
            },
          });
          resolve(new Response(stream, { headers: { 'content-type': type } }));
          const gate = new EventGate();
          let [bytes, isReserved] = [0, false];
          for await (const part of body) {
            parts.push(part);
            bytes += part.length;
            if (bytes > LARGE_BYTES && !isReserved) await caller.reserve?.(MAX_MODEL_ANSWER_BYTES);
            isReserved = bytes > LARGE_BYTES;
            if (!reader) continue;
            for (const events of gate.pass(part)) {
              if (events) reader?.enqueue(exactBody(events, type));
              else reader?.error(new HeavyAnswer(whole, type));
              if (!events) reader = undefined;
              await breathe();
            }
          }
          if (gate.rest.length > 0) reader?.enqueue(exactBody(gate.rest, type));
        },
      };
      const signal = AbortSignal.any([caller.signal, cancelled.signal]);
      const whole = request({ ...outboundOf(caller, input, init), signal, sink }).then(
        (answer) => {
          if (isSuccess(answer.status)) reader?.close();
          else reject(statusFailure(provider, answer, caller.secrets));
          return Buffer.concat(parts);
        },
        (failure: unknown) => {
          reader?.error(failure);
          reject(failure);
          throw failure;
        },
      );
      // It is told by the reader, or by the promise of the response.
      whole.catch(() => undefined);
    });

const isSuccess = (status: number) => status < 300;

function outboundOf({ workspaceId, signal, reserve }: Caller, ...[input, init]: Parameters<Fetch>): OutboundRequest {
  const headers = new Headers(init?.headers);
  // It names the library.
  headers.delete('user-agent');
  return {
    workspaceId,
    url: input instanceof Request ? input.url : input,
    method: init?.method ?? 'GET',
    headers: Object.fromEntries(headers),
    body: typeof init?.body === 'string' ? init.body : undefined,
    signal,
    reserve,
    // The node's timeout aborts the signal.
    timeoutMs: null,
    maxBytes: MAX_MODEL_ANSWER_BYTES,
    followRedirects: false,
    isTraced: true,
  };
}

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 409 || status === 429;

/** A limit that waiting does not lift: the account has to be topped up. */
const QUOTA = /insufficient_quota|billing/i;

/** The failure of a call that a provider refuses, with its reason. */
export function statusFailure(provider: string, response: OutboundResponse, secrets: Redactor): NodeFailure {
  const { status, headers } = response;
  const answer = answerOf(response, secrets);
  const reason = secrets.text(reasonIn(response)).slice(0, MAX_REASON).toWellFormed();
  const text = reason === '' ? '' : `: ${reason}`;
  if (status === 401) {
    const message = `${provider} does not accept the key${text}`;
    return new NodeFailure('CREDENTIAL_REFUSED', message, false, 0, { answer });
  }
  const isUsedUp = status === 429 && QUOTA.test(answer.body ?? '');
  const retryAfterMs = Number(headers['retry-after-ms']) || retryAfterOf(headers['retry-after']);
  return new NodeFailure(
    'HTTP_STATUS',
    `${provider} answered ${status}${text}`,
    isPassing(status) && !isUsedUp,
    retryAfterMs,
    { answer },
  );
}

const isBag = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `error.message` of OpenAI, Anthropic and Google (also in a list), `error` of Ollama. */
function reasonIn(response: OutboundResponse): string {
  if (response.body.length > 64 * 1024) return '';
  const body = refusalIn(response);
  const [first] = [body].flat() as unknown[];
  const error = isBag(first) ? (first['error'] ?? first['message'] ?? first['detail']) : undefined;
  const message = isBag(error) ? error['message'] : error;
  return typeof message === 'string' ? message.replace(/\s+/g, ' ').trim() : '';
}
