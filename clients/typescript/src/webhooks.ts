import { readErrorResponse, WeftConnectionError } from './errors.js';
import { RETRY_DELAYS_MS, sendWithRetries } from './retry.js';

/** The value of `X-Service-Signature` for the bytes of a body: `sha256=` and the HMAC in hex. */
export async function signWebhook(secret: string, body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, typeof body === 'string' ? bytes(body) : body);
  return `sha256=${[...new Uint8Array(mac)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export interface Delivery {
  /** The address of the webhook. */
  url: string;
  secret: string;
  /** Sent as JSON. */
  body: unknown;
  /**
   * The sender's id: a repetition within 24 hours starts nothing. Default: a new one, the same for all retries of this
   * call.
   */
  deliveryId?: string;
  retryDelaysMs?: readonly number[];
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

/** Calls a webhook that verifies signatures, and returns its response unread. */
export async function deliverWebhook(delivery: Delivery): Promise<Response> {
  const { url, secret, deliveryId = crypto.randomUUID(), signal, retryDelaysMs = RETRY_DELAYS_MS } = delivery;
  const fetch = delivery.fetch ?? globalThis.fetch;
  const body = JSON.stringify(delivery.body);
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': await signWebhook(secret, body),
    'x-service-delivery': deliveryId,
  };
  const send = async () => {
    try {
      return await fetch(url, { method: 'POST', headers, body, signal: signal ?? null });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new WeftConnectionError(`${new URL(url).origin} can not be reached.`, { cause });
    }
  };
  const { response } = await sendWithRetries({ send, isRepeatable: true, delaysMs: retryDelaysMs, signal });
  if (!response.ok) throw await readErrorResponse(response);
  return response;
}
