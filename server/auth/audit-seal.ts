import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { pool } from '../db/client';
import { runtime } from '../runtime';

/** The chain of entries that belong to no workspace. */
export const SERVICE_CHAIN = 'service';

/** One process at a time gives entries their place; PostgreSQL's advisory lock of this number says which. */
export const SEALER_LOCK = 72_707_370;

/** An entry as it is hashed: JSON as the very text that is stored. */
export interface EntryRow {
  id: string;
  sequence: string;
  chain: string;
  timestamp: Date;
  category: string;
  action: string;
  result: string;
  actor: string;
  resource: string;
  metadata: string;
  position: string | null;
  hash: string | null;
}

export const COLUMNS = `id, sequence, coalesce(workspace_id, '${SERVICE_CHAIN}') AS chain, timestamp, category, action, result,
  actor::text, resource::text, metadata::text, position, hash`;

/** Where a chain ends, and where it begins since retention cut it. */
export interface Chain {
  id: string;
  position: string;
  hash: string;
  pruned_position: string;
  pruned_hash: string;
  seal: string;
}

export const CHAIN_COLUMNS = 'id, position, hash, pruned_position, pruned_hash, seal';

export const hashOf = (previous: string, position: bigint, row: EntryRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previous,
        row.chain,
        position.toString(),
        row.id,
        row.sequence,
        row.timestamp.toISOString(),
        row.category,
        row.action,
        row.result,
        row.actor,
        row.resource,
        row.metadata,
      ]),
    )
    .digest('hex');

const sealUnder = (key: string, { id, position, hash, pruned_position, pruned_hash }: Omit<Chain, 'seal'>): Buffer =>
  createHmac('sha256', createHash('sha256').update(`audit chain ${key}`).digest())
    .update(JSON.stringify([id, position, hash, pruned_position, pruned_hash]))
    .digest();

function sealed(chain: Chain): Chain {
  const [key = ''] = runtime().env.encryptionKeys;
  return { ...chain, seal: sealUnder(key, chain).toString('hex') };
}

/** Whoever can write to the database but has no key can't make this true. */
export function isSealed(chain: Chain): boolean {
  const seal = Buffer.from(chain.seal, 'hex');
  return runtime().env.encryptionKeys.some((key) => {
    const right = sealUnder(key, chain);
    return right.length === seal.length && timingSafeEqual(right, seal);
  });
}

export const begun = (id: string): Chain => ({
  id,
  position: '0',
  hash: '',
  pruned_position: '0',
  pruned_hash: '',
  seal: '',
});

export async function inTransaction<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** What stands for a seal from when a chain's end was found changed: it goes on, and is known as broken ever after. */
export const BROKEN = 'broken';

export const keep = (client: pg.PoolClient, chain: Chain) => {
  const { id, position, hash, pruned_position, pruned_hash, seal } = chain.seal === BROKEN ? chain : sealed(chain);
  return client.query(
    `INSERT INTO audit_chain (${CHAIN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET position = $2, hash = $3, pruned_position = $4, pruned_hash = $5, seal = $6`,
    [id, position, hash, pruned_position, pruned_hash, seal],
  );
};
