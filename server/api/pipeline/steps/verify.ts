import { readPresentedApiKey } from '@/server/people/auth/api-key';
import { findCallerUsingKey } from '@/server/people/auth/last-use';
import { requireReferenceUse } from '@/server/people/access/references';
import { prismaClient } from '@/server/platform/db/client';
import { isSenderAddressAllowed } from '@/server/triggers/webhooks/allowed-addresses';
import { readWebhookAt, type CallingWebhook, type WebhookVerificationData } from '@/server/triggers/webhooks/lookup';
import { webhookVerifier } from '@/server/triggers/webhooks/verification';
import { getRuntime } from '@/server/platform/runtime';
import { networkOfAddress } from '@/server/platform/messages/client-address';
import { processTokenBuckets, unverifiedBucketName } from '@/server/platform/limits/buckets';
import type { IncomingCall } from '@/server/api/operation/incoming';
import { isSpooledBodyValid, readWebhookBody, tooManyDeliveriesProblem, type DeliveryBody } from './delivery-body';
import type { BodyBytes } from './parse';
import {
  forbiddenProblem,
  methodNotAllowedProblem,
  notFoundProblem,
  ApiProblem,
  unauthorizedProblem,
} from '@/server/platform/errors/problem';

/** A delivery to a webhook after its sender was verified. */
export interface VerifiedDelivery extends BodyBytes {
  /** The webhook whose secrets were compared. */
  webhook: CallingWebhook;
  /** Why it is not verified; null: it is. */
  refusal: ApiProblem | null;
}

type SentDelivery = Pick<IncomingCall, 'method' | 'path' | 'rawQuery' | 'headers' | 'ipAddress'>;

/** Why nobody at this address reaches the webhook, whatever they send; null: they do. */
export function findAddressRefusal(webhook: WebhookVerificationData, ipAddress: string): ApiProblem | null {
  if (!webhook.enabled) return new ApiProblem('NOT_FOUND', 'The webhook is disabled.');
  return isSenderAddressAllowed(webhook, ipAddress)
    ? null
    : forbiddenProblem('The webhook takes no requests from this address.');
}

/**
 * What can be said against a delivery before its body is read: its address, its method, its headers. Null: nothing.
 * Synchronous, except for tokens and keys.
 */
export function findHeadRefusal(
  webhook: WebhookVerificationData,
  sent: SentDelivery,
): ApiProblem | null | Promise<ApiProblem | null> {
  const refusal = findAddressRefusal(webhook, sent.ipAddress);
  if (refusal) return refusal;
  const verifier = webhookVerifier(webhook);
  if (!(webhook.methods as string[]).includes(sent.method) && !verifier.isHandshake?.(sent)) {
    return methodNotAllowedProblem(webhook.methods);
  }
  if (webhook.verification?.kind === 'api_key') return findKeyRefusal(webhook, sent);
  const admitted = verifier.admits(sent);
  if (typeof admitted === 'boolean') return admitted ? null : unverifiedProblem(webhook);
  return admitted.then((isAdmitted) => (isAdmitted ? null : unverifiedProblem(webhook)));
}

/** The same with its body. A promise only for one in a temporary file. */
export function findBodyRefusal(
  webhook: WebhookVerificationData,
  sent: SentDelivery,
  { rawBody, spool, verdict }: DeliveryBody,
): ApiProblem | null | Promise<ApiProblem | null> {
  const verifier = webhookVerifier(webhook);
  const refusalIf = (isValid: boolean) => (isValid ? null : unverifiedProblem(webhook));
  if (!spool) return refusalIf(verifier.isValid?.(sent, rawBody) ?? true);
  if (!verifier.isValid) return null;
  if (verdict?.verifier === verifier) return refusalIf(verdict.isValid);
  return isSpooledBodyValid(verifier, sent, spool).then(refusalIf);
}

async function findKeyRefusal(webhook: WebhookVerificationData, { headers }: SentDelivery): Promise<ApiProblem | null> {
  const key = readPresentedApiKey(headers);
  const caller = key === null ? null : (await findCallerUsingKey(key))?.caller;
  if (!caller || caller.workspaceId !== webhook.workspaceId) return unverifiedProblem(webhook);
  try {
    await requireReferenceUse(prismaClient(), caller, { resource: 'workflow', id: webhook.workflowId });
    return null;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

/**
 * Between the first and the second step, for deliveries to webhooks: reads the body and verifies the sender, so that
 * only verified senders use the workspace's bucket. All others have a bucket per network and webhook. When it is empty,
 * only small bodies with plausible headers are read: a valid sender behind the same address as a flood still gets
 * through.
 */
export async function verifyDelivery(
  found: CallingWebhook,
  incoming: IncomingCall,
  maxBody: number,
): Promise<VerifiedDelivery> {
  const read: { body: DeliveryBody | null } = { body: null };
  try {
    return await verifyReadDelivery(found, incoming, maxBody, read);
  } catch (error) {
    await read.body?.spool?.remove();
    throw error;
  }
}

/** `read` has the body once it is read. */
async function verifyReadDelivery(
  found: CallingWebhook,
  incoming: IncomingCall,
  maxBody: number,
  read: { body: DeliveryBody | null },
): Promise<VerifiedDelivery> {
  const bucket = unverifiedBucketName(found.id, networkOfAddress(incoming.ipAddress));
  const isUsedUp = (processTokenBuckets().peek(bucket, getRuntime().env.rateLimitTier)?.remaining ?? 1) < 1;
  let webhook = found;
  for (;;) {
    const checked = findHeadRefusal(webhook, incoming);
    let refusal = checked instanceof Promise ? await checked : checked;
    if (!refusal && read.body === null) {
      try {
        read.body = await readWebhookBody(webhook, incoming, { bucket, isUsedUp, maxBody });
      } catch (error) {
        if (error instanceof ApiProblem) return toRefusedDelivery(webhook, error);
        throw error;
      }
    }
    const { body } = read;
    if (body !== null && !refusal) {
      const verdict = findBodyRefusal(webhook, incoming, body);
      refusal = verdict instanceof Promise ? await verdict : verdict;
    }
    if (!refusal) return { webhook, rawBody: body?.rawBody ?? EMPTY_BODY_BYTES, spool: body?.spool ?? null, refusal };
    const now = isUsedUp ? null : await readWebhookAt(webhook);
    if (!now || now.webhookVersion === webhook.webhookVersion) {
      await body?.spool?.remove();
      return toRefusedDelivery(
        now ?? webhook,
        now ? refusal : isUsedUp ? tooManyDeliveriesProblem() : notFoundProblem('The webhook'),
      );
    }
    // The cache may be a second old: another process may have changed the webhook meanwhile.
    webhook = now;
  }
}

const EMPTY_BODY_BYTES = new Uint8Array();
const toRefusedDelivery = (webhook: CallingWebhook, refusal: ApiProblem): VerifiedDelivery => ({
  webhook,
  rawBody: EMPTY_BODY_BYTES,
  spool: null,
  refusal,
});

const VERIFICATION_FAILURES: Record<string, string> = {
  basic: 'The user name or the password is wrong.',
  header: 'The header with the secret is missing or wrong.',
  jwt: 'The token is missing or not valid.',
  api_key: 'An API key of the workspace is needed.',
};

function unverifiedProblem(webhook: WebhookVerificationData): ApiProblem {
  const reason = VERIFICATION_FAILURES[webhook.verification?.kind ?? ''] ?? 'The signature does not match the body.';
  const { authenticate } = webhookVerifier(webhook);
  if (authenticate === undefined) return unauthorizedProblem(reason);
  return new ApiProblem('UNAUTHORIZED', reason, [], { headers: { 'WWW-Authenticate': authenticate } });
}
