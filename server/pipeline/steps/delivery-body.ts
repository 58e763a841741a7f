import { MAX_FILE_BYTES } from '@/contract/file-value';
import type { Incoming } from '@/server/api/incoming';
import { Problem } from '@/server/errors/problem';
import { unverifiedShares, workspaceShare } from '@/server/files/disk-shares';
import type { Spool } from '@/server/files/spool';
import { bodyKindOf } from '@/server/request-body';
import type { CallingWebhook } from '@/server/webhooks/lookup';
import { verifierOf } from '@/server/webhooks/verification';
import type { DeliveryHead, Verifier } from '@/server/webhooks/verification/verifier';
import type { BodyBytes } from './parse';
import { spoolBody } from './spool-body';

/** Reading and comparing a body of this size costs about as much as answering a refused call. */
const SMALL = 65_536;
const MIB = 1024 * 1024;
/** Maximum bytes of larger bodies in memory at a time, per network and webhook. */
export const MAX_UNVERIFIED_BYTES = 64 * MIB;
/** Maximum body in memory of webhooks with settings of their own. */
export const MAX_BODY = 10 * MIB;
/** Maximum body of a form with files: one file of the largest size, and fields. */
export const MAX_SPOOLED = MAX_FILE_BYTES + MAX_BODY;

const unread = new Map<string, number>();

/** The body of a delivery. `verdict`: what a check on the way found. */
export interface ReadBody extends BodyBytes {
  verdict?: { verifier: Verifier; isValid: boolean };
}

interface Circumstances {
  /** The bucket of deliveries from this network that are not verified, and whether it is empty. */
  bucket: string;
  isUsedUp: boolean;
  maxBody: number;
}

export const tooManyDeliveries = (): Problem =>
  new Problem('RATE_LIMITED', 'Too many requests. Wait until the limit resets.', [], {
    headers: { 'Retry-After': '1' },
  });

/** Whether every caller may deliver: such deliveries count as unverified. */
export const isOpen = ({ verification }: CallingWebhook): boolean => verification?.kind === 'none';

/** Whether a body goes to a temporary file: files do, if the verification can check them there. */
function isSpooled(webhook: CallingWebhook, { headers }: Incoming): boolean {
  const kind = bodyKindOf(headers.get('content-type'));
  if (webhook.isDocumented || (kind !== 'multipart' && kind !== 'file')) return false;
  const { isValid, check } = verifierOf(webhook);
  return !isValid || check !== undefined;
}

/**
 * Reads the body of a delivery whose headers were not refused. When the bucket of unverified deliveries is empty, only small bodies are read.
 * Throws a Problem.
 */
export async function readDelivery(
  webhook: CallingWebhook,
  incoming: Incoming,
  { bucket, isUsedUp, maxBody }: Circumstances,
): Promise<ReadBody> {
  const max = webhook.isDocumented ? maxBody : MAX_BODY;
  const length = lengthOf(incoming, max);
  if (isUsedUp) {
    if (Number(incoming.headers.get('content-length')) > SMALL || isOpen(webhook)) throw tooManyDeliveries();
    const rawBody = await incoming.readSentBody(SMALL).catch((error: unknown) => {
      throw error instanceof Problem ? tooManyDeliveries() : error;
    });
    return { rawBody, spool: null };
  }
  if (length <= SMALL) return { rawBody: await incoming.readSentBody(SMALL), spool: null };
  if (isSpooled(webhook, incoming)) return spoolDelivery(webhook, incoming, bucket);
  if ((unread.get(bucket) ?? 0) + Math.min(length, max) > MAX_UNVERIFIED_BYTES) throw tooManyDeliveries();
  return { rawBody: await readLarge(bucket, incoming, length, max), spool: null };
}

/** The announced length of a body; without one it is as large as it may be, except of a request that has none as a rule. */
function lengthOf({ method, headers }: Incoming, max: number): number {
  const announced = headers.get('content-length');
  if (announced !== null) return Number(announced);
  const isBodiless = (method === 'GET' || method === 'DELETE') && !headers.has('transfer-encoding');
  return isBodiless ? 0 : max;
}

async function readLarge(
  bucket: string,
  { readSentBody }: Incoming,
  length: number,
  maxBody: number,
): Promise<Uint8Array> {
  // A body over the limit is refused before it is read.
  const reserved = Math.min(length, maxBody);
  unread.set(bucket, (unread.get(bucket) ?? 0) + reserved);
  try {
    return await readSentBody(maxBody);
  } finally {
    const rest = (unread.get(bucket) ?? 0) - reserved;
    if (rest > 0) unread.set(bucket, rest);
    else unread.delete(bucket);
  }
}

/** Writes the body to a temporary file, and checks it on the way. */
async function spoolDelivery(webhook: CallingWebhook, incoming: Incoming, bucket: string): Promise<ReadBody> {
  const verifier = verifierOf(webhook);
  const check = verifier.check?.(incoming);
  const isVerified = !check && !isOpen(webhook);
  const shares = isVerified ? [workspaceShare(webhook.workspaceId)] : unverifiedShares(bucket, webhook.id);
  const onChunk = check && ((chunk: Uint8Array) => check.update(chunk));
  const spool = await spoolBody(incoming, { limit: MAX_SPOOLED, shares, onChunk }, incoming.streamSentBody);
  return { rawBody: NOTHING, spool, verdict: check && { verifier, isValid: check.isValid() } };
}

const NOTHING = new Uint8Array();

/** Checks a body again, under a webhook that has changed. */
export async function isValidSpool(verifier: Verifier, head: DeliveryHead, spool: Spool): Promise<boolean> {
  const check = verifier.check?.(head);
  if (!check) return false;
  for await (const chunk of spool.stream()) check.update(chunk as Buffer);
  return check.isValid();
}
