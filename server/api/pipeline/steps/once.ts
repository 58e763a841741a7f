import { createHash } from 'node:crypto';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import type { DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import type { IncomingCall } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';
import { conflictProblem, invalidFieldProblem, ApiProblem } from '@/server/platform/errors/problem';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import type { OperationResponse } from './answer';
import type { CallIdentity } from './identify';

/** How long a reply is kept. */
const STORED_REPLY_LIFETIME_MS = 24 * 3_600_000;

/** One idempotent request: its identity and the hash of its content. */
export interface IdempotencyKey {
  /** SHA-256 of workspace, caller, method, path and key. */
  scope: string;
  bodyHash: string;
}

const sha256OfParts = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest();
};

/**
 * The key of an authenticated POST or PUT that carries Idempotency-Key, else null. An answer that is a stream is not
 * stored, and an operation with transactions of its own is not carried out inside another one.
 */
export function readIdempotencyKey(
  { method, access, reply, effect }: OperationRecord,
  { person, caller }: CallIdentity,
  incoming: IncomingCall,
  rawBody: Uint8Array,
): IdempotencyKey | null {
  const key = incoming.headers.get('idempotency-key');
  if (key === null || access.kind === 'public' || reply?.kind === 'content' || !person) return null;
  if (effect.kind === 'read' && effect.hasOwnTransaction) return null;
  if (method !== 'POST' && method !== 'PUT') return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidFieldProblem('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
  }
  const callerId = person.apiKeyId ?? person.userId;
  const scope = sha256OfParts(caller?.workspaceId ?? '', callerId, method, incoming.path, key).toString('hex');
  return { scope, bodyHash: sha256OfParts(rawBody).toString('hex') };
}

/**
 * Idempotency: runs `work` once per key, within the transaction `db`. A repetition gets the stored reply; another body
 * or a first request that is still running gets a 409. A failure stores nothing, so the key may be used again.
 */
export async function runOncePerKey(
  db: DatabaseClient,
  key: IdempotencyKey | null,
  work: () => Promise<OperationResponse>,
): Promise<OperationResponse> {
  if (!key) return work();
  await lockIdempotencyKey(db, key);
  const storedReply = await db.storedReply.findUnique({ where: { scope: key.scope } });
  const isFresh = storedReply !== null && storedReply.createdAt.getTime() > Date.now() - STORED_REPLY_LIFETIME_MS;
  if (isFresh && storedReply.bodyHash !== key.bodyHash) {
    throw conflictProblem('This Idempotency-Key was used with another body.');
  }
  const { encryptionKeys } = getRuntime().env;
  if (isFresh) {
    const reply = JSON.parse(openSealedText(storedReply.reply, key.scope, encryptionKeys)) as OperationResponse;
    return { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } };
  }
  const reply = await work();
  const row = {
    bodyHash: key.bodyHash,
    reply: sealText(serializeJson(reply) ?? 'null', key.scope, encryptionKeys),
    createdAt: new Date(),
  };
  await db.storedReply.upsert({ where: { scope: key.scope }, create: { scope: key.scope, ...row }, update: row });
  return reply;
}

/**
 * An advisory lock until the transaction ends, across processes: only one of several concurrent requests does the work.
 */
async function lockIdempotencyKey(db: DatabaseClient, { scope }: IdempotencyKey): Promise<void> {
  const number = Buffer.from(scope, 'hex').readBigInt64BE();
  const [row] = await db.$queryRaw<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${number}) AS got`;
  if (row?.got) return;
  throw new ApiProblem('CONFLICT', 'A request with this Idempotency-Key is still running.', [], {
    headers: { 'Retry-After': '1' },
  });
}
