import { withPoolTransaction } from '@/server/platform/db/within';
import { databasePool } from '@/server/platform/db/client';
import { sealAllEntries } from './chain';
import {
  CHAIN_COLUMNS,
  ENTRY_CHAIN_SQL,
  BLOCK_END_COLUMNS,
  isChainSealed,
  storeChainEnd,
  type AuditChainEnd,
} from './seal';

/** Ids of all chains that have or had entries. */
export async function listChainIds(): Promise<string[]> {
  const { rows } = await databasePool().query<{ id: string }>(
    `SELECT id FROM audit_chain UNION SELECT DISTINCT ${ENTRY_CHAIN_SQL} FROM audit_entry ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes entries older than `days` from the beginning of each chain. The rest stays verifiable: the chain stores
 * position and hash of the last removed entry. Returns the number of removed entries.
 */
export async function pruneAuditEntries(days: number): Promise<number> {
  await sealAllEntries();
  const ids = await listChainIds();
  let count = 0;
  for (const id of ids) count += await pruneAuditChain(id, days);
  return count;
}

const pruneAuditChain = (id: string, days: number): Promise<number> =>
  withPoolTransaction('BEGIN', async (client) => {
    // A concurrent sealer waits for this lock, finds the chain changed and reads it again.
    const { rows } = await client.query<AuditChainEnd>(
      `SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1 FOR UPDATE`,
      [id],
    );
    const [chain] = rows;
    // A chain that was tampered with is kept as evidence.
    if (!chain || !isChainSealed(chain)) return 0;
    // A block is removed when all its entries are expired.
    const past = `chain = $1 AND first_position < coalesce((
      SELECT first_position FROM audit_block b WHERE chain = $1 AND EXISTS (
        SELECT FROM audit_entry e WHERE e.sequence = ANY(b.sequences) AND e.timestamp >= now() - make_interval(days => $2))
      ORDER BY first_position LIMIT 1), $3::bigint + 1)`;
    const values = [id, days, chain.position];
    const last = await client.query<{ position: string; hash: string }>(
      `SELECT ${BLOCK_END_COLUMNS} FROM audit_block WHERE ${past} ORDER BY first_position DESC LIMIT 1`,
      values,
    );
    const [end] = last.rows;
    if (!end) return 0;
    await client.query(`SELECT set_config('weft.audit_retention', 'on', true)`);
    const gone = 'chain = $1 AND first_position <= $2';
    const { rowCount } = await client.query(
      `DELETE FROM audit_entry WHERE ${ENTRY_CHAIN_SQL} = $1 AND sequence IN (SELECT unnest(sequences) FROM audit_block WHERE ${gone})`,
      [id, end.position],
    );
    await client.query(`DELETE FROM audit_block WHERE ${gone}`, [id, end.position]);
    await storeChainEnd(client, { ...chain, pruned_position: end.position, pruned_hash: end.hash });
    return rowCount ?? 0;
  });

/** Seals the end of every chain under the first key, so that older keys can be removed. */
export const resealAuditChains = (): Promise<number> =>
  withPoolTransaction('BEGIN', async (client) => {
    const { rows } = await client.query<AuditChainEnd>(
      `SELECT ${CHAIN_COLUMNS} FROM audit_chain ORDER BY id FOR UPDATE`,
    );
    const intact = rows.filter(isChainSealed);
    for (const chain of intact) await storeChainEnd(client, chain);
    return intact.length;
  });
