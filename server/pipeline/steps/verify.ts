import { callerFromKey, presentedKey } from '@/server/auth/api-key';
import { requireUse } from '@/server/access/references';
import { prisma } from '@/server/db/client';
import { isAllowedAddress } from '@/server/webhooks/gate';
import { readWebhook, type CallingWebhook, type VerifiedAddress } from '@/server/webhooks/lookup';
import { verifierOf } from '@/server/webhooks/verification';
import { runtime } from '@/server/runtime';
import { networkOf } from '@/server/client-address';
import { tokenBuckets, unverifiedBucket } from '@/server/limits/buckets';
import type { Incoming } from '@/server/api/incoming';
import { forbidden, methodNotAllowed, notFound, Problem, unauthorized } from '@/server/errors/problem';

/** A delivery to a webhook after its sender was verified. */
export interface Delivery {
  /** The webhook whose secrets were compared. */
  webhook: CallingWebhook;
  rawBody: Uint8Array;
  /** Why it is not verified; null: it is. */
  refusal: Problem | null;
}

/** Reading and comparing a body of this size costs about as much as answering a refused call. */
const SMALL = 65_536;
/** Maximum bytes of larger bodies that are read at a time, per network and webhook. */
const MOST_UNREAD = 64 * 1024 * 1024;
/** Maximum body of webhooks with settings of their own. */
const MAX_BODY = 10 * 1024 * 1024;

const unread = new Map<string, number>();

type Sent = Pick<Incoming, 'method' | 'path' | 'rawQuery' | 'headers' | 'ipAddress'>;

/**
 * What can be said against a delivery before its body is read: its address, its method, its headers. Null: nothing.
 * Synchronous, except for tokens and keys.
 */
export function refusalOfHead(webhook: VerifiedAddress, sent: Sent): Problem | null | Promise<Problem | null> {
  if (!webhook.enabled) return new Problem('NOT_FOUND', 'The webhook is disabled.');
  if (!isAllowedAddress(webhook, sent.ipAddress)) return forbidden('The webhook takes no requests from this address.');
  const verifier = verifierOf(webhook);
  if (!(webhook.methods as string[]).includes(sent.method) && !verifier.isHandshake?.(sent)) {
    return methodNotAllowed(webhook.methods);
  }
  if (webhook.verification?.kind === 'api_key') return refusalOfKey(webhook, sent);
  const admitted = verifier.admits(sent);
  if (typeof admitted === 'boolean') return admitted ? null : unverified(webhook);
  return admitted.then((isAdmitted) => (isAdmitted ? null : unverified(webhook)));
}

/** The same with its body. */
export const refusalOfBody = (webhook: VerifiedAddress, sent: Sent, rawBody: Uint8Array): Problem | null =>
  (verifierOf(webhook).isValid?.(sent, rawBody) ?? true) ? null : unverified(webhook);

async function refusalOfKey(webhook: VerifiedAddress, { headers }: Sent): Promise<Problem | null> {
  const key = presentedKey(headers);
  const caller = key === null ? null : (await callerFromKey(key))?.caller;
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
  const { headers, ipAddress } = incoming;
  const bucket = unverifiedBucket(found.id, networkOf(ipAddress));
  const isUsedUp = (tokenBuckets().peek(bucket, runtime().env.rateLimitTier)?.remaining ?? 1) < 1;
  let webhook = found;
  let rawBody: Uint8Array | null = null;
  for (;;) {
    const checked = refusalOfHead(webhook, incoming);
    let refusal = checked instanceof Promise ? await checked : checked;
    if (!refusal && rawBody === null) {
      const max = webhook.isDocumented ? maxBody : MAX_BODY;
      const length = lengthOf(incoming, max);
      const isSmall = length <= SMALL;
      const isTooMuch = isUsedUp
        ? Number(headers.get('content-length')) > SMALL || isOpen(webhook)
        : !isSmall && (unread.get(bucket) ?? 0) + length > MOST_UNREAD;
      if (isTooMuch) return refusedDelivery(webhook, tooMany());
      try {
        rawBody = await (isSmall || isUsedUp ? incoming.readBody(SMALL) : readLarge(bucket, incoming, length, max));
      } catch (error) {
        if (error instanceof Problem) return refusedDelivery(webhook, isUsedUp ? tooMany() : error);
        throw error;
      }
    }
    if (rawBody !== null) refusal ??= refusalOfBody(webhook, incoming, rawBody);
    if (!refusal) return { webhook, rawBody: rawBody ?? NOTHING, refusal };
    if (isUsedUp) return refusedDelivery(webhook, tooMany());
    // The cache may be a second old: another process may have changed the webhook meanwhile.
    const now = await readWebhook(webhook);
    if (!now) return refusedDelivery(webhook, notFound('The webhook'));
    if (now.webhookVersion === webhook.webhookVersion) return refusedDelivery(now, refusal);
    webhook = now;
  }
}

/** Whether anybody may deliver: such deliveries count as unverified. */
export const isOpen = ({ verification }: CallingWebhook): boolean => verification?.kind === 'none';

/** The announced length of a body; without one it is as large as it may be, except of a request that has none as a rule. */
function lengthOf({ method, headers }: Incoming, max: number): number {
  const announced = headers.get('content-length');
  if (announced !== null) return Number(announced);
  const isBodiless = (method === 'GET' || method === 'DELETE') && !headers.has('transfer-encoding');
  return isBodiless ? 0 : max;
}

async function readLarge(bucket: string, { readBody }: Incoming, length: number, maxBody: number): Promise<Uint8Array> {
  // A body over the limit is refused before it is read.
  const reserved = Math.min(length, maxBody);
  unread.set(bucket, (unread.get(bucket) ?? 0) + reserved);
  try {
    return await readBody(maxBody);
  } finally {
    const rest = (unread.get(bucket) ?? 0) - reserved;
    if (rest > 0) unread.set(bucket, rest);
    else unread.delete(bucket);
  }
}

const NOTHING = new Uint8Array();
const refusedDelivery = (webhook: CallingWebhook, refusal: Problem): Delivery => ({
  webhook,
  rawBody: NOTHING,
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

const tooMany = () =>
  new Problem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': '1' },
  });
