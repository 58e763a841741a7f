import { createHash } from 'node:crypto';
import { open, seal } from '@/server/db/seal';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import type { Incoming } from '@/server/api/incoming';
import type { Operation } from '@/server/api/operation';
import { conflict, invalidField, Problem } from '@/server/errors/problem';
import { jsonOf } from '@/server/expressions/large-json';
import type { Reply } from './answer';
import type { Identity } from './identify';

/** How long a reply is kept. */
const KEPT_MS = 24 * 3_600_000;

/** One idempotent request: its identity and the hash of its content. */
export interface OnceKey {
  /** SHA-256 of workspace, caller, method, path and key. */
  scope: string;
  bodyHash: string;
}

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest();
};

/**
 * The key of an authenticated POST or PUT that carries Idempotency-Key, else null. An answer that is a stream is not stored, and an operation
 * with transactions of its own is not carried out inside another one.
 */
export function onceKey(
  { method, access, reply, effect }: Operation,
  { person, caller }: Identity,
  incoming: Incoming,
  rawBody: Uint8Array,
): OnceKey | null {
  const key = incoming.headers.get('idempotency-key');
  if (key === null || access.kind === 'public' || reply?.kind === 'content' || !person) return null;
  if (effect.kind === 'read' && effect.hasOwnTransaction) return null;
  if (method !== 'POST' && method !== 'PUT') return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
  }
  const callerId = person.apiKeyId ?? person.userId;
  const scope = sha256(caller?.workspaceId ?? '', callerId, method, incoming.path, key).toString('hex');
  return { scope, bodyHash: sha256(rawBody).toString('hex') };
}

/**
 * Idempotency: runs `work` once per key, within the transaction `db`. A repetition gets the stored reply; another body or a first request
 * that is still running gets a 409. A failure stores nothing, so the key may be used again.
 */
export async function once(db: Db, key: OnceKey | null, work: () => Promise<Reply>): Promise<Reply> {
  if (!key) return work();
  await lock(db, key);
  const storedReply = await db.storedReply.findUnique({ where: { scope: key.scope } });
  const isFresh = storedReply !== null && storedReply.createdAt.getTime() > Date.now() - KEPT_MS;
  if (isFresh && storedReply.bodyHash !== key.bodyHash) {
    throw conflict('This Idempotency-Key was used with another body.');
  }
  const { encryptionKeys } = runtime().env;
  if (isFresh) {
    const reply = JSON.parse(open(storedReply.reply, key.scope, encryptionKeys)) as Reply;
    return { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } };
  }
  const reply = await work();
  const row = {
    bodyHash: key.bodyHash,
    reply: seal(jsonOf(reply) ?? 'null', key.scope, encryptionKeys),
    createdAt: new Date(),
  };
  await db.storedReply.upsert({ where: { scope: key.scope }, create: { scope: key.scope, ...row }, update: row });
  return reply;
}

/** An advisory lock until the transaction ends, across processes: only one of several concurrent requests does the work. */
async function lock(db: Db, { scope }: OnceKey): Promise<void> {
  const number = Buffer.from(scope, 'hex').readBigInt64BE();
  const [row] = await db.$queryRaw<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${number}) AS got`;
  if (row?.got) return;
  throw new Problem('CONFLICT', 'A request with this Idempotency-Key is still running.', [], {
    headers: { 'Retry-After': '1' },
  });
}
