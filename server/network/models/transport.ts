import { setImmediate as breathe } from 'node:timers/promises';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { summarizeResponse } from '@/server/network/outbound/response-summary';
import { readRefusalBody, parseRetryAfter } from '@/server/network/outbound/content';
import {
  sendOutboundRequest,
  type OutboundRequest,
  type OutboundResponse,
  type BodySink,
} from '@/server/network/outbound/outbound';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import { withExactToolArguments } from '@/server/evaluation/model-libraries/exact-arguments';
import type { ModelFetch } from '@/server/evaluation/model-libraries/providers';
import { ServerEventGate, HeavyReplyError, isHeavyReply } from './heavy-reply';

/** Maximum size of an answer. Models write less: 128,000 tokens are half a megabyte. */
export const MAX_MODEL_REPLY_BYTES = 4 * 1024 * 1024;
const MAX_PROVIDER_REASON_LENGTH = 500;

/** The caller of a model, with the limits of its call. */
export interface ModelCaller {
  workspaceId: string;
  signal: AbortSignal;
  /** Removes secrets from error texts. */
  secrets: ValueRedactor;
  reserve?: (bytes: number) => Promise<void>;
}

/** A larger answer waits for memory. */
const LARGE_REPLY_BYTES = 256 * 1024;

/** The way out for the libraries of providers: the connections, limits and rules of `server/network/outbound`. */
export const createModelFetch =
  (provider: string, caller: ModelCaller): ModelFetch =>
  async (input, init) => {
    const answer = await sendOutboundRequest(toOutboundRequest(caller, input, init));
    if (!isSuccessStatus(answer.status)) throw modelStatusFailure(provider, answer, caller.secrets);
    const type = answer.headers['content-type'] ?? 'application/json';
    if (isHeavyReply(answer.body)) throw new HeavyReplyError(Promise.resolve(answer.body), type);
    return new Response(withExactToolArguments(answer.body, type), {
      status: answer.status,
      headers: { 'content-type': type },
    });
  };

/**
 * The same for answers that are read while they arrive. A reader that cancels ends the call. The library reads a few
 * events at a time; before an event that is too heavy for it, it gets HeavyAnswer, and all of the answer is read
 * elsewhere.
 */
export const createStreamingFetch =
  (provider: string, caller: ModelCaller): ModelFetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
      const cancelled = new AbortController();
      const parts: Buffer[] = [];
      const sink: BodySink = {
        maxBytes: MAX_MODEL_REPLY_BYTES,
        accepts: isSuccessStatus,
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
          const gate = new ServerEventGate();
          let [bytes, isReserved] = [0, false];
          for await (const part of body) {
            parts.push(part);
            bytes += part.length;
            if (bytes > LARGE_REPLY_BYTES && !isReserved) await caller.reserve?.(MAX_MODEL_REPLY_BYTES);
            isReserved = bytes > LARGE_REPLY_BYTES;
            if (!reader) continue;
            for (const events of gate.pass(part)) {
              if (events) reader?.enqueue(withExactToolArguments(events, type));
              else reader?.error(new HeavyReplyError(whole, type));
              if (!events) reader = undefined;
              await breathe();
            }
          }
          if (gate.rest.length > 0) reader?.enqueue(withExactToolArguments(gate.rest, type));
        },
      };
      const signal = AbortSignal.any([caller.signal, cancelled.signal]);
      const whole = sendOutboundRequest({ ...toOutboundRequest(caller, input, init), signal, sink }).then(
        (answer) => {
          if (isSuccessStatus(answer.status)) reader?.close();
          else reject(modelStatusFailure(provider, answer, caller.secrets));
          return Buffer.concat(parts);
        },
        (failure: unknown) => {
          reader?.error(failure);
          reject(failure);
          throw failure;
        },
      );
      // The reader or the promise of the response reports the error.
      whole.catch(() => undefined);
    });

const isSuccessStatus = (status: number) => status < 300;

function toOutboundRequest(
  { workspaceId, signal, reserve }: ModelCaller,
  ...[input, init]: Parameters<ModelFetch>
): OutboundRequest {
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
    maxBytes: MAX_MODEL_REPLY_BYTES,
    followRedirects: false,
    isTraced: true,
  };
}

/** Statuses that a retry may change. */
const isTransientModelStatus = (status: number) => status >= 500 || status === 408 || status === 409 || status === 429;

/** A limit that waiting does not lift: the account has to be topped up. */
const EXHAUSTED_QUOTA_PATTERN = /insufficient_quota|billing/i;

/** The failure of a call that a provider refuses, with its reason. */
export function modelStatusFailure(provider: string, response: OutboundResponse, secrets: ValueRedactor): NodeFailure {
  const { status, headers } = response;
  const answer = summarizeResponse(response, secrets);
  const reason = secrets.text(providerReason(response)).slice(0, MAX_PROVIDER_REASON_LENGTH).toWellFormed();
  const text = reason === '' ? '' : `: ${reason}`;
  if (status === 401) {
    const message = `${provider} does not accept the key${text}`;
    return new NodeFailure('CREDENTIAL_REFUSED', message, false, 0, { answer });
  }
  const isUsedUp = status === 429 && EXHAUSTED_QUOTA_PATTERN.test(answer.body ?? '');
  const retryAfterMs = Number(headers['retry-after-ms']) || parseRetryAfter(headers['retry-after']);
  return createNodeFailure(
    'HTTP_STATUS',
    { server: provider, status, reason: reason || undefined },
    { isRetriable: isTransientModelStatus(status) && !isUsedUp, retryAfterMs, answer },
  );
}

const isObjectLike = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `error.message` of OpenAI, Anthropic and Google (also in a list), `error` of Ollama. */
function providerReason(response: OutboundResponse): string {
  if (response.body.length > 64 * 1024) return '';
  const body = readRefusalBody(response);
  const [first] = [body].flat() as unknown[];
  const error = isObjectLike(first) ? (first['error'] ?? first['message'] ?? first['detail']) : undefined;
  const message = isObjectLike(error) ? error['message'] : error;
  return typeof message === 'string' ? message.replace(/\s+/g, ' ').trim() : '';
}
