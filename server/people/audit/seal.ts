import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { getRuntime } from '@/server/platform/runtime';

/** The chain of entries without a workspace. */
export const SERVICE_CHAIN_ID = 'service';

const toJsonSql = (expression: string) => `to_json(${expression})`;

/**
 * All fields of an `audit_entry`, as the elements of a JSON array: `"aud_…","7","2026-…Z",…`, with JSON as the stored
 * text; one line. PostgreSQL builds it, which is the cheapest place.
 */
export const ENTRY_CONTENT_SQL = `concat_ws(',', ${[
  'id',
  'sequence::text',
  `to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  'category',
  'action',
  'result',
  'actor::text',
  'resource::text',
  'metadata::text',
]
  .map(toJsonSql)
  .join(', ')})`;

/** Bytes of a hash in a block. */
export const CHAIN_HASH_BYTES = 32;

/** The last entry of an `audit_block`. */
export const BLOCK_END_COLUMNS = `first_position + cardinality(sequences) - 1 AS position,
  encode(substr(hashes, octet_length(hashes) - ${CHAIN_HASH_BYTES - 1}), 'hex') AS hash`;

export const ENTRY_CHAIN_SQL = `coalesce(workspace_id, '${SERVICE_CHAIN_ID}')`;

/** The end of a chain, and its beginning after retention. */
export interface AuditChainEnd {
  id: string;
  position: string;
  hash: string;
  pruned_position: string;
  pruned_hash: string;
  seal: string;
}

export const CHAIN_COLUMNS = 'id, position, hash, pruned_position, pruned_hash, seal';

/** Hexadecimal SHA-256 of the JSON array of the predecessor's hash, the chain, the position and the content. */
export const chainEntryHash = (previous: string, chain: string, position: bigint, content: string): string =>
  createHash('sha256')
    .update(`[${JSON.stringify(previous)},${JSON.stringify(chain)},"${position}",${content}]`)
    .digest('hex');

const sealChainWithKey = (
  key: string,
  { id, position, hash, pruned_position, pruned_hash }: Omit<AuditChainEnd, 'seal'>,
): Buffer =>
  createHmac('sha256', createHash('sha256').update(`audit chain ${key}`).digest())
    .update(JSON.stringify([id, position, hash, pruned_position, pruned_hash]))
    .digest();

/** The chain sealed under the first key. A chain that was found broken stays marked as broken. */
export function sealChain(chain: AuditChainEnd): AuditChainEnd {
  const [key = ''] = getRuntime().env.encryptionKeys;
  return chain.seal === BROKEN_SEAL ? chain : { ...chain, seal: sealChainWithKey(key, chain).toString('hex') };
}

/** Only a holder of the key can make this true; write access to the database is not enough. */
export function isChainSealed(chain: AuditChainEnd): boolean {
  const seal = Buffer.from(chain.seal, 'hex');
  return getRuntime().env.encryptionKeys.some((key) => {
    const right = sealChainWithKey(key, chain);
    return right.length === seal.length && timingSafeEqual(right, seal);
  });
}

export const createEmptyChain = (id: string): AuditChainEnd => ({
  id,
  position: '0',
  hash: '',
  pruned_position: '0',
  pruned_hash: '',
  seal: '',
});

/**
 * Replaces the seal after a chain's end was found changed: the chain continues, and verification reports it as broken
 * from then on.
 */
export const BROKEN_SEAL = 'broken';

export const storeChainEnd = (client: pg.PoolClient, chain: AuditChainEnd) => {
  const { id, position, hash, pruned_position, pruned_hash, seal } = sealChain(chain);
  return client.query(
    `INSERT INTO audit_chain (${CHAIN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET position = $2, hash = $3, pruned_position = $4, pruned_hash = $5, seal = $6`,
    [id, position, hash, pruned_position, pruned_hash, seal],
  );
};
