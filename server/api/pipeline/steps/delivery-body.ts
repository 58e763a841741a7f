import { MAX_FILE_BYTES } from '@/contract/file-value';
import type { IncomingCall } from '@/server/api/operation/incoming';
import { ApiProblem } from '@/server/platform/errors/problem';
import { unverifiedSenderShares, workspaceDiskShare } from '@/server/data/files/disk-shares';
import type { SpooledFile } from '@/server/data/files/spool';
import { requestBodyType } from '@/server/platform/messages/request-body';
import type { CallingWebhook } from '@/server/triggers/webhooks/lookup';
import { webhookVerifier } from '@/server/triggers/webhooks/verification';
import type { DeliveryHead, WebhookVerifier } from '@/server/triggers/webhooks/verification/verifier';
import type { BodyBytes } from './parse';
import { spoolRequestBody } from './spool-body';
import { BYTES_PER_MIB } from '@/contract/units';

/** Reading and comparing a body of this size costs about as much as answering a refused call. */
const SMALL_BODY_BYTES = 65_536;
/** Maximum bytes of larger bodies in memory at a time, per network and webhook. */
export const MAX_UNVERIFIED_TOTAL_BYTES = 64 * BYTES_PER_MIB;
/** Maximum body in memory of webhooks with settings of their own. */
export const MAX_WEBHOOK_BODY_BYTES = 10 * BYTES_PER_MIB;
/** Maximum body of a form with files: one file of the largest size, and fields. */
export const MAX_SPOOLED_BODY_BYTES = MAX_FILE_BYTES + MAX_WEBHOOK_BODY_BYTES;

const unverifiedBytesByBucket = new Map<string, number>();

/** The body of a delivery. `verdict`: what a check on the way found. */
export interface DeliveryBody extends BodyBytes {
  verdict?: { verifier: WebhookVerifier; isValid: boolean };
}

interface DeliveryLimits {
  /** The bucket of deliveries from this network that are not verified, and whether it is empty. */
  bucket: string;
  isUsedUp: boolean;
  maxBody: number;
}

export const tooManyDeliveriesProblem = (): ApiProblem =>
  new ApiProblem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': '1' },
  });

/** Whether every caller may deliver: such deliveries count as unverified. */
export const isOpenWebhook = ({ verification }: CallingWebhook): boolean => verification?.kind === 'none';

/** Whether a body goes to a temporary file: files do, if the verification can check them there. */
function isSpooledDelivery(webhook: CallingWebhook, { headers }: IncomingCall): boolean {
  const kind = requestBodyType(headers.get('content-type'));
  if (webhook.isDocumented || (kind !== 'multipart' && kind !== 'file')) return false;
  const { isValid, check } = webhookVerifier(webhook);
  return !isValid || check !== undefined;
}

/**
 * Reads the body of a delivery whose headers were not refused. When the bucket of unverified deliveries is empty, only
 * small bodies are read. Throws a Problem.
 */
export async function readWebhookBody(
  webhook: CallingWebhook,
  incoming: IncomingCall,
  { bucket, isUsedUp, maxBody }: DeliveryLimits,
): Promise<DeliveryBody> {
  const max = webhook.isDocumented ? maxBody : MAX_WEBHOOK_BODY_BYTES;
  const length = expectedBodyLength(incoming, max);
  if (isUsedUp) {
    if (Number(incoming.headers.get('content-length')) > SMALL_BODY_BYTES || isOpenWebhook(webhook))
      throw tooManyDeliveriesProblem();
    const rawBody = await incoming.readSentBody(SMALL_BODY_BYTES).catch((error: unknown) => {
      throw error instanceof ApiProblem ? tooManyDeliveriesProblem() : error;
    });
    return { rawBody, spool: null };
  }
  if (length <= SMALL_BODY_BYTES) return { rawBody: await incoming.readSentBody(SMALL_BODY_BYTES), spool: null };
  if (isSpooledDelivery(webhook, incoming)) return spoolDeliveryBody(webhook, incoming, bucket);
  if ((unverifiedBytesByBucket.get(bucket) ?? 0) + Math.min(length, max) > MAX_UNVERIFIED_TOTAL_BYTES)
    throw tooManyDeliveriesProblem();
  return { rawBody: await readLargeDelivery(bucket, incoming, length, max), spool: null };
}

/**
 * The announced length of a body; without one it is as large as it may be, except of a request that has none as a rule.
 */
function expectedBodyLength({ method, headers }: IncomingCall, max: number): number {
  const announced = headers.get('content-length');
  if (announced !== null) return Number(announced);
  const isBodiless = (method === 'GET' || method === 'DELETE') && !headers.has('transfer-encoding');
  return isBodiless ? 0 : max;
}

async function readLargeDelivery(
  bucket: string,
  { readSentBody }: IncomingCall,
  length: number,
  maxBody: number,
): Promise<Uint8Array> {
  // A body over the limit is refused before it is read.
  const reserved = Math.min(length, maxBody);
  unverifiedBytesByBucket.set(bucket, (unverifiedBytesByBucket.get(bucket) ?? 0) + reserved);
  try {
    return await readSentBody(maxBody);
  } finally {
    const rest = (unverifiedBytesByBucket.get(bucket) ?? 0) - reserved;
    if (rest > 0) unverifiedBytesByBucket.set(bucket, rest);
    else unverifiedBytesByBucket.delete(bucket);
  }
}

/** Writes the body to a temporary file, and checks it on the way. */
async function spoolDeliveryBody(
  webhook: CallingWebhook,
  incoming: IncomingCall,
  bucket: string,
): Promise<DeliveryBody> {
  const verifier = webhookVerifier(webhook);
  const check = verifier.check?.(incoming);
  const isVerified = !check && !isOpenWebhook(webhook);
  const shares = isVerified ? [workspaceDiskShare(webhook.workspaceId)] : unverifiedSenderShares(bucket, webhook.id);
  const onChunk = check && ((chunk: Uint8Array) => check.update(chunk));
  const spool = await spoolRequestBody(
    incoming,
    { limit: MAX_SPOOLED_BODY_BYTES, shares, onChunk },
    incoming.streamSentBody,
  );
  return { rawBody: EMPTY_DELIVERY_BODY, spool, verdict: check && { verifier, isValid: check.isValid() } };
}

const EMPTY_DELIVERY_BODY = new Uint8Array();

/** Checks a body again, under a webhook that has changed. */
export async function isSpooledBodyValid(
  verifier: WebhookVerifier,
  head: DeliveryHead,
  spool: SpooledFile,
): Promise<boolean> {
  const check = verifier.check?.(head);
  if (!check) return false;
  for await (const chunk of spool.stream()) check.update(chunk as Buffer);
  return check.isValid();
}
