import { z } from 'zod';
import { preflightAnswer } from '@/server/api/cors';
import { CustomReply, publicAccess, type Call, type Operation } from '@/server/api/operation';
import { rawBody, readEffect } from '@/server/api/operation-parts';
import { methodNotAllowed, notFound } from '@/server/errors/problem';
import { unverifiedBucket } from '@/server/limits/buckets';
import { refusalOfAddress } from '@/server/pipeline/steps/verify';
import { runtime } from '@/server/runtime';
import { webhookCorsHeaders, webhookPreflightHeaders } from '@/server/webhooks/cors';
import { cachedWebhook, readWebhook, type CallingWebhook } from '@/server/webhooks/lookup';
import { isAddress } from '../pages/addresses';
import { deliver } from './deliveries';

type Params = Record<string, string>;

/** The webhook at an address; null: there is none. */
async function webhookAt(
  { workflowId = '', path = '' }: Params,
  read: (address: { workflowId: string; path: string }) => Promise<CallingWebhook | null>,
): Promise<CallingWebhook | null> {
  const address = { workflowId, path };
  return isAddress(address) ? read(address) : null;
}

/** HEAD: whether the sender would reach a webhook. Some senders ask before they use an address. It is not verified. */
async function answerHead({ ipAddress, headers }: Call, webhook: CallingWebhook | null): Promise<CustomReply> {
  const refusal = webhook ? refusalOfAddress(webhook, ipAddress) : notFound('The webhook');
  if (!webhook || refusal) throw refusal ?? notFound('The webhook');
  return new CustomReply(200, webhookCorsHeaders(webhook, headers.get('origin')), null);
}

/** OPTIONS: what pages of other origins may send, as the webhook says or, without a word of it, the operator. */
async function answerOptions({ ipAddress, headers }: Call, webhook: CallingWebhook | null) {
  const origin = headers.get('origin');
  const isOpen = webhook?.cors && !refusalOfAddress(webhook, ipAddress);
  const own = isOpen ? webhookPreflightHeaders(webhook, origin) : null;
  if (own?.['Access-Control-Allow-Origin'] !== undefined) return new CustomReply(204, own, null);
  const general = preflightAnswer(headers, runtime().env.corsOrigins);
  if (general) return general;
  if (own) return new CustomReply(204, own, null);
  throw methodNotAllowed([deliver.method, ...(deliver.otherMethods ?? [])]);
}

/** Not in the table of operations, but counted and answered like one. Nothing is recorded, and no run begins. */
export const probe: Operation = {
  id: 'webhooks.probe',
  method: 'GET',
  path: deliver.path,
  summary: '',
  tag: '',
  access: publicAccess({
    callsAs: 'nobody',
    async bucketOf(params, network) {
      const webhook = await webhookAt(params, cachedWebhook);
      return webhook ? unverifiedBucket(webhook.id, network) : undefined;
    },
  }),
  effect: readEffect(),
  body: rawBody(),
  query: 'any',
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  async run(call, { params = {} }) {
    const webhook = await webhookAt(params as Params, readWebhook);
    return call.method === 'HEAD' ? answerHead(call, webhook) : answerOptions(call, webhook);
  },
};
