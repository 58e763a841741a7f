import { inTransaction } from '@/server/db/within';
import { pool } from '@/server/db/client';
import { sealEntries } from './chain';
import { CHAIN_COLUMNS, CHAIN_OF, END_OF_BLOCK, isSealed, keep, type Chain } from './seal';

/** Ids of all chains that have or had entries. */
export async function chainIds(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM audit_chain UNION SELECT DISTINCT ${CHAIN_OF} FROM audit_entry ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes entries older than `days` from the beginning of each chain. The rest stays verifiable: the chain stores
 * position and hash of the last removed entry. Returns the number of removed entries.
 */
export async function pruneEntries(days: number): Promise<number> {
  await sealEntries();
  const ids = await chainIds();
  let count = 0;
  for (const id of ids) count += await pruneChain(id, days);
  return count;
}

const pruneChain = (id: string, days: number): Promise<number> =>
  inTransaction('BEGIN', async (client) => {
    // A concurrent sealer waits for this lock, finds the chain changed and reads it again.
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1 FOR UPDATE`, [
      id,
    ]);
    const [chain] = rows;
    // A chain that was tampered with is kept as evidence.
    if (!chain || !isSealed(chain)) return 0;
    // A block is removed when all its entries are expired.
    const past = `chain = $1 AND first_position < coalesce((
      SELECT first_position FROM audit_block b WHERE chain = $1 AND EXISTS (
        SELECT FROM audit_entry e WHERE e.sequence = ANY(b.sequences) AND e.timestamp >= now() - make_interval(days => $2))
      ORDER BY first_position LIMIT 1), $3::bigint + 1)`;
    const values = [id, days, chain.position];
    const last = await client.query<{ position: string; hash: string }>(
      `SELECT ${END_OF_BLOCK} FROM audit_block WHERE ${past} ORDER BY first_position DESC LIMIT 1`,
      values,
    );
    const [end] = last.rows;
    if (!end) return 0;
    await client.query(`SELECT set_config('weft.audit_retention', 'on', true)`);
    const gone = 'chain = $1 AND first_position <= $2';
    const { rowCount } = await client.query(
      `DELETE FROM audit_entry WHERE ${CHAIN_OF} = $1 AND sequence IN (SELECT unnest(sequences) FROM audit_block WHERE ${gone})`,
      [id, end.position],
    );
    await client.query(`DELETE FROM audit_block WHERE ${gone}`, [id, end.position]);
    await keep(client, { ...chain, pruned_position: end.position, pruned_hash: end.hash });
    return rowCount ?? 0;
  });

/** Seals the end of every chain under the first key, so that older keys can be removed. */
export const resealChains = (): Promise<number> =>
  inTransaction('BEGIN', async (client) => {
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain ORDER BY id FOR UPDATE`);
    const intact = rows.filter(isSealed);
    for (const chain of intact) await keep(client, chain);
    return intact.length;
  });
