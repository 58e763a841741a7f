import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { deliverWebhook, signWebhook } from './webhooks.js';

it('signs the bytes of a body', async () => {
  const body = '{"name":"Zoë"}';
  const expected = `sha256=${createHmac('sha256', 'whsec').update(body).digest('hex')}`;
  expect(await signWebhook('whsec', body)).toBe(expected);
  expect(await signWebhook('whsec', new TextEncoder().encode(body))).toBe(expected);
});

it('retries a delivery with its id', async () => {
  const ids: (string | null)[] = [];
  const fetch = async (_url: unknown, { headers }: RequestInit = {}) => {
    ids.push(new Headers(headers).get('x-service-delivery'));
    if (ids.length === 1) throw new TypeError('fetch failed');
    return new Response('{}', { status: ids.length === 2 ? 503 : 202 });
  };
  const answer = await deliverWebhook({
    url: 'https://weft.test/webhooks/wf_1/in',
    secret: 's',
    body: {},
    retryDelaysMs: [0, 0],
    fetch: fetch as typeof globalThis.fetch,
  });
  expect(answer.status).toBe(202);
  expect(ids[0]).toBeTruthy();
  expect(new Set(ids).size).toBe(1);
});
