import { pool } from '../db/client';
import { sealEntries } from './audit-chain';
import { CHAIN_COLUMNS, CHAIN_OF, inTransaction, isSealed, keep, type Chain } from './audit-seal';

/** Ids of all chains that there are or were entries of. */
export async function chainIds(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM audit_chain UNION SELECT DISTINCT ${CHAIN_OF} FROM audit_entry ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes entries older than `days` from the beginning of each chain. What stays is verifiable: the chain keeps the
 * place and hash of the last entry removed. Answers how many went.
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
    // Who seals waits for it, then finds that the chain has changed and looks again.
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1 FOR UPDATE`, [
      id,
    ]);
    const [chain] = rows;
    // A chain that somebody tampered with is left as evidence.
    if (!chain || !isSealed(chain)) return 0;
    const mine = `${CHAIN_OF} = $1 AND position IS NOT NULL`;
    const last = await client.query<{ position: string; hash: string }>(
      `SELECT position, hash FROM audit_entry WHERE ${mine} AND position < coalesce(
         (SELECT min(position) FROM audit_entry WHERE ${mine} AND timestamp >= now() - make_interval(days => $2)), $3::bigint + 1)
       ORDER BY position DESC LIMIT 1`,
      [id, days, chain.position],
    );
    const [end] = last.rows;
    if (!end) return 0;
    await client.query(`SELECT set_config('weft.audit_retention', 'on', true)`);
    const { rowCount } = await client.query(`DELETE FROM audit_entry WHERE ${mine} AND position <= $2`, [
      id,
      end.position,
    ]);
    await keep(client, { ...chain, pruned_position: end.position, pruned_hash: end.hash });
    return rowCount ?? 0;
  });

/** Seals the end of every chain anew under the first key, so that older keys may go. */
export const resealChains = (): Promise<number> =>
  inTransaction('BEGIN', async (client) => {
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain ORDER BY id FOR UPDATE`);
    const intact = rows.filter(isSealed);
    for (const chain of intact) await keep(client, chain);
    return intact.length;
  });
