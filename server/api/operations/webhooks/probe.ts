import { z } from 'zod';
import { preflightResponse } from '@/server/api/operation/cors';
import {
  CustomResponse,
  publicAccess,
  type OperationCall,
  type OperationRecord,
} from '@/server/api/operation/operation';
import { rawBody, readEffect } from '@/server/api/operation/operation-parts';
import { methodNotAllowedProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { unverifiedBucketName } from '@/server/platform/limits/buckets';
import { findAddressRefusal } from '@/server/api/pipeline/steps/verify';
import { getRuntime } from '@/server/platform/runtime';
import { webhookCorsHeaders, webhookPreflightHeaders } from '@/server/triggers/webhooks/cors';
import { readCachedWebhook, readWebhookAt, type CallingWebhook } from '@/server/triggers/webhooks/lookup';
import { isPageAddress } from '../pages/addresses';
import { deliverWebhookOperation } from './deliveries';

type ProbeParams = Record<string, string>;

/** The webhook at an address; null: there is none. */
async function findWebhookAt(
  { workflowId = '', path = '' }: ProbeParams,
  read: (address: { workflowId: string; path: string }) => Promise<CallingWebhook | null>,
): Promise<CallingWebhook | null> {
  const address = { workflowId, path };
  return isPageAddress(address) ? read(address) : null;
}

/**
 * Responds to HEAD, by which some senders ask whether an address exists before they use it. The sender is not verified.
 */
async function respondToHead(
  { ipAddress, headers }: OperationCall,
  webhook: CallingWebhook | null,
): Promise<CustomResponse> {
  const refusal = webhook ? findAddressRefusal(webhook, ipAddress) : notFoundProblem('The webhook');
  if (!webhook || refusal) throw refusal ?? notFoundProblem('The webhook');
  return new CustomResponse(200, webhookCorsHeaders(webhook, headers.get('origin')), null);
}

/**
 * Responds to OPTIONS with what pages of other origins may send, as the webhook says or, if it says nothing, the
 * operator.
 */
async function respondToOptions({ ipAddress, headers }: OperationCall, webhook: CallingWebhook | null) {
  const origin = headers.get('origin');
  const isOpen = webhook?.cors && !findAddressRefusal(webhook, ipAddress);
  const own = isOpen ? webhookPreflightHeaders(webhook, origin) : null;
  if (own?.['Access-Control-Allow-Origin'] !== undefined) return new CustomResponse(204, own, null);
  const general = preflightResponse(headers, getRuntime().env.corsOrigins);
  if (general) return general;
  if (own) return new CustomResponse(204, own, null);
  throw methodNotAllowedProblem([deliverWebhookOperation.method, ...(deliverWebhookOperation.otherMethods ?? [])]);
}

/**
 * This operation is not in the list of all operations, but is counted and handled like one. It records nothing and
 * starts no run.
 */
export const probeWebhookOperation: OperationRecord = {
  id: 'webhooks.probe',
  method: 'GET',
  path: deliverWebhookOperation.path,
  summary: '',
  tag: '',
  access: publicAccess({
    callsAs: 'nobody',
    async bucketOf(params, network) {
      const webhook = await findWebhookAt(params, readCachedWebhook);
      return webhook ? unverifiedBucketName(webhook.id, network) : undefined;
    },
  }),
  effect: readEffect(),
  body: rawBody(),
  query: 'any',
  params: z.strictObject({ workflowId: z.string(), path: z.string() }),
  async run(call, { params = {} }) {
    const webhook = await findWebhookAt(params as ProbeParams, readWebhookAt);
    return call.method === 'HEAD' ? respondToHead(call, webhook) : respondToOptions(call, webhook);
  },
};
