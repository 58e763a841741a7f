import type pg from 'pg';
import type { AuditVerdict } from '@/contract/audit';
import { pool } from '../db/client';
import {
  begun,
  BROKEN,
  CHAIN_COLUMNS,
  COLUMNS,
  hashOf,
  inTransaction,
  isSealed,
  keep,
  SEALER_LOCK,
  SERVICE_CHAIN,
  type Chain,
  type EntryRow,
} from './audit-seal';

/** Small enough that requests under way hardly wait for it. */
const BATCH = 200;

/**
 * Gives every committed entry its place in its chain. The order is made here, not where entries are written: writers
 * never wait for each other, and one that commits late simply comes later. Answers how many there were.
 */
export async function sealEntries(): Promise<number> {
  let count = 0;
  for (;;) {
    const batch = await sealBatch();
    count += batch;
    if (batch < BATCH) return count;
  }
}

async function sealBatch(): Promise<number> {
  const unsealed = `SELECT ${COLUMNS} FROM audit_entry WHERE position IS NULL ORDER BY sequence LIMIT ${BATCH}`;
  const { rowCount } = await pool().query({
    name: 'audit-unsealed',
    text: 'SELECT FROM audit_entry WHERE position IS NULL LIMIT 1',
  });
  if (!rowCount) return 0;
  return inTransaction('BEGIN', async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [SEALER_LOCK]);
    const { rows } = await client.query<EntryRow>(unsealed);
    const chains = await chainsOf(client, rows);
    const hashes = rows.map((row) => {
      const chain = chains.get(row.chain) ?? begun(row.chain);
      const position = BigInt(chain.position) + 1n;
      const hash = hashOf(chain.hash, position, row);
      chains.set(row.chain, { ...chain, position: position.toString(), hash });
      return { position: position.toString(), hash };
    });
    await client.query(
      `UPDATE audit_entry e SET position = s.position, hash = s.hash
       FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS s(sequence, position, hash)
       WHERE e.sequence = s.sequence AND e.sequence = ANY($1)`,
      [rows.map(({ sequence }) => sequence), hashes.map(({ position }) => position), hashes.map(({ hash }) => hash)],
    );
    for (const chain of chains.values()) await keep(client, chain);
    return rows.length;
  });
}

/** The chains that these entries belong to, as far as they exist. */
async function chainsOf(client: pg.PoolClient, rows: EntryRow[]): Promise<Map<string, Chain>> {
  const ids = [...new Set(rows.map(({ chain }) => chain))];
  const found = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = ANY($1)`, [ids]);
  const chains = found.rows.map((chain) => (isSealed(chain) ? chain : { ...chain, seal: BROKEN }));
  const lost = ids.filter((id) => !chains.some((chain) => chain.id === id));
  for (const id of lost) chains.push(...(await remainsOf(client, id)));
  return new Map(chains.map((chain) => [chain.id, chain]));
}

/** Entries with a place in a chain whose end is gone: somebody removed it. */
async function remainsOf(client: pg.PoolClient, id: string): Promise<Chain[]> {
  const { rows } = await client.query<{ position: string; hash: string }>(
    `SELECT position, hash FROM audit_entry WHERE coalesce(workspace_id, '${SERVICE_CHAIN}') = $1 AND position IS NOT NULL
     ORDER BY position DESC LIMIT 1`,
    [id],
  );
  return rows.map((last) => ({ ...begun(id), ...last, seal: BROKEN }));
}

/** Walks a chain from its beginning, or from where retention cut it, to its end. Entries not sealed yet are sealed first. */
export async function verifyChain(id: string): Promise<AuditVerdict> {
  await sealEntries();
  return inTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1`, [id]);
    const chain = rows[0] ?? begun(id);
    const head = rows[0] ? { position: Number(chain.position), hash: chain.hash } : null;
    if (chain.seal !== '' && !isSealed(chain))
      return broken(0, null, head, 'The end of the chain was changed, or its key is gone.');
    return walk(client, chain, head);
  });
}

const broken = (
  entries: number,
  firstBroken: string | null,
  head: AuditVerdict['head'],
  reason: string,
): AuditVerdict => ({
  valid: false,
  entries,
  firstBroken,
  reason,
  head,
});

async function walk(client: pg.PoolClient, chain: Chain, head: AuditVerdict['head']): Promise<AuditVerdict> {
  let position = BigInt(chain.pruned_position);
  let hash = chain.pruned_hash;
  let entries = 0;
  let lastId: string | null = null;
  for (;;) {
    const { rows } = await client.query<EntryRow>(
      `SELECT ${COLUMNS} FROM audit_entry WHERE coalesce(workspace_id, '${SERVICE_CHAIN}') = $1 AND position > $2
       ORDER BY position LIMIT ${BATCH}`,
      [chain.id, position.toString()],
    );
    for (const row of rows) {
      if (BigInt(row.position ?? 0) !== position + 1n)
        return broken(entries, row.id, head, 'Entries before this one are missing.');
      position += 1n;
      const right = hashOf(hash, position, row);
      if (row.hash !== right)
        return broken(entries, row.id, head, 'This entry is not as it was written, or not in its place.');
      hash = right;
      lastId = row.id;
      entries += 1;
    }
    if (rows.length < BATCH) break;
  }
  const isWhole = position === BigInt(chain.position) && hash === chain.hash;
  if (!isWhole) return broken(entries, lastId, head, 'Entries are missing at the end.');
  return { valid: true, entries, firstBroken: null, reason: null, head };
}
