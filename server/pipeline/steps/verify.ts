import { presentedKey } from '@/server/auth/api-key';
import { callerUsingKey } from '@/server/auth/last-use';
import { requireUse } from '@/server/access/references';
import { prisma } from '@/server/db/client';
import { isAllowedAddress } from '@/server/webhooks/gate';
import { readWebhook, type CallingWebhook, type VerifiedAddress } from '@/server/webhooks/lookup';
import { verifierOf } from '@/server/webhooks/verification';
import { runtime } from '@/server/runtime';
import { networkOf } from '@/server/client-address';
import { tokenBuckets, unverifiedBucket } from '@/server/limits/buckets';
import type { Incoming } from '@/server/api/incoming';
import { isValidSpool, readDelivery, tooManyDeliveries, type ReadBody } from './delivery-body';
import type { BodyBytes } from './parse';
import { forbidden, methodNotAllowed, notFound, Problem, unauthorized } from '@/server/errors/problem';

/** A delivery to a webhook after its sender was verified. */
export interface Delivery extends BodyBytes {
  /** The webhook whose secrets were compared. */
  webhook: CallingWebhook;
  /** Why it is not verified; null: it is. */
  refusal: Problem | null;
}

type Sent = Pick<Incoming, 'method' | 'path' | 'rawQuery' | 'headers' | 'ipAddress'>;

/** Why nobody at this address reaches the webhook, whatever they send; null: they do. */
export function refusalOfAddress(webhook: VerifiedAddress, ipAddress: string): Problem | null {
  if (!webhook.enabled) return new Problem('NOT_FOUND', 'The webhook is disabled.');
  return isAllowedAddress(webhook, ipAddress) ? null : forbidden('The webhook takes no requests from this address.');
}

/**
 * What can be said against a delivery before its body is read: its address, its method, its headers. Null: nothing.
 * Synchronous, except for tokens and keys.
 */
export function refusalOfHead(webhook: VerifiedAddress, sent: Sent): Problem | null | Promise<Problem | null> {
  const refusal = refusalOfAddress(webhook, sent.ipAddress);
  if (refusal) return refusal;
  const verifier = verifierOf(webhook);
  if (!(webhook.methods as string[]).includes(sent.method) && !verifier.isHandshake?.(sent)) {
    return methodNotAllowed(webhook.methods);
  }
  if (webhook.verification?.kind === 'api_key') return refusalOfKey(webhook, sent);
  const admitted = verifier.admits(sent);
  if (typeof admitted === 'boolean') return admitted ? null : unverified(webhook);
  return admitted.then((isAdmitted) => (isAdmitted ? null : unverified(webhook)));
}

/** The same with its body. A promise only for one in a temporary file. */
export function refusalOfBody(
  webhook: VerifiedAddress,
  sent: Sent,
  { rawBody, spool, verdict }: ReadBody,
): Problem | null | Promise<Problem | null> {
  const verifier = verifierOf(webhook);
  const refusalIf = (isValid: boolean) => (isValid ? null : unverified(webhook));
  if (!spool) return refusalIf(verifier.isValid?.(sent, rawBody) ?? true);
  if (!verifier.isValid) return null;
  if (verdict?.verifier === verifier) return refusalIf(verdict.isValid);
  return isValidSpool(verifier, sent, spool).then(refusalIf);
}

async function refusalOfKey(webhook: VerifiedAddress, { headers }: Sent): Promise<Problem | null> {
  const key = presentedKey(headers);
  const caller = key === null ? null : (await callerUsingKey(key))?.caller;
  if (!caller || caller.workspaceId !== webhook.workspaceId) return unverified(webhook);
  try {
    await requireUse(prisma(), caller, { resource: 'workflow', id: webhook.workflowId });
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Between the first and the second step, for deliveries to webhooks: reads the body and verifies the sender, so that only verified senders
 * use the workspace's bucket. All others have a bucket per network and webhook. When it is empty, only small bodies with plausible headers
 * are read: a valid sender behind the same address as a flood still gets through.
 */
export async function verify(found: CallingWebhook, incoming: Incoming, maxBody: number): Promise<Delivery> {
  const read: { body: ReadBody | null } = { body: null };
  try {
    return await verifyWith(found, incoming, maxBody, read);
  } catch (error) {
    await read.body?.spool?.remove();
    throw error;
  }
}

/** `read` has the body once it is read. */
async function verifyWith(
  found: CallingWebhook,
  incoming: Incoming,
  maxBody: number,
  read: { body: ReadBody | null },
): Promise<Delivery> {
  const bucket = unverifiedBucket(found.id, networkOf(incoming.ipAddress));
  const isUsedUp = (tokenBuckets().peek(bucket, runtime().env.rateLimitTier)?.remaining ?? 1) < 1;
  let webhook = found;
  for (;;) {
    const checked = refusalOfHead(webhook, incoming);
    let refusal = checked instanceof Promise ? await checked : checked;
    if (!refusal && read.body === null) {
      try {
        read.body = await readDelivery(webhook, incoming, { bucket, isUsedUp, maxBody });
      } catch (error) {
        if (error instanceof Problem) return refusedDelivery(webhook, error);
        throw error;
      }
    }
    const { body } = read;
    if (body !== null && !refusal) {
      const verdict = refusalOfBody(webhook, incoming, body);
      refusal = verdict instanceof Promise ? await verdict : verdict;
    }
    if (!refusal) return { webhook, rawBody: body?.rawBody ?? NOTHING, spool: body?.spool ?? null, refusal };
    const now = isUsedUp ? null : await readWebhook(webhook);
    if (!now || now.webhookVersion === webhook.webhookVersion) {
      await body?.spool?.remove();
      return refusedDelivery(now ?? webhook, now ? refusal : isUsedUp ? tooManyDeliveries() : notFound('The webhook'));
    }
    // The cache may be a second old: another process may have changed the webhook meanwhile.
    webhook = now;
  }
}

const NOTHING = new Uint8Array();
const refusedDelivery = (webhook: CallingWebhook, refusal: Problem): Delivery => ({
  webhook,
  rawBody: NOTHING,
  spool: null,
  refusal,
});

const REASONS: Record<string, string> = {
  basic: 'The user name or the password is wrong.',
  header: 'The header with the secret is missing or wrong.',
  jwt: 'The token is missing or not valid.',
  api_key: 'An API key of the workspace is needed.',
};

function unverified(webhook: VerifiedAddress): Problem {
  const reason = REASONS[webhook.verification?.kind ?? ''] ?? 'The signature does not match the body.';
  const { authenticate } = verifierOf(webhook);
  if (authenticate === undefined) return unauthorized(reason);
  return new Problem('UNAUTHORIZED', reason, [], { headers: { 'WWW-Authenticate': authenticate } });
}
