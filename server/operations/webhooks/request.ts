import { readQuery } from '@/server/api/form';
import { sentHeaders } from '@/server/api/incoming';
import type { WebhookCall } from '@/server/api/operation';
import type { CallingWebhook } from '@/server/webhooks/lookup';
import { verifierOf } from '@/server/webhooks/verification';
import { objectOf } from '@/server/request-body';

/** They may hold secrets of the sender. */
const PRIVATE = ['authorization', 'proxy-authorization', 'cookie'];

/** The input of a run: the body, or the request around it without what the verification reads. */
export function inputFrom(call: WebhookCall, webhook: CallingWebhook, body: unknown): unknown {
  if (webhook.input === 'body') return body;
  const { method, path, rawQuery, ipAddress } = call;
  const omitted = new Set([...PRIVATE, ...verifierOf(webhook).reads]);
  const headers = Object.entries(sentHeaders(call.headers)).filter(([name]) => !omitted.has(name));
  return {
    method,
    path,
    query: objectOf(readQuery(rawQuery)),
    headers: Object.fromEntries(headers),
    body,
    ip: ipAddress,
  };
}
