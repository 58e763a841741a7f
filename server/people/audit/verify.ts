import type pg from 'pg';
import type { AuditChainCheck } from '@/contract/audit';
import { isReadOnlyFailure } from '@/server/platform/db/failures/sql-state';
import { withPoolTransaction } from '@/server/platform/db/within';
import { sealAllEntries } from './chain';
import {
  createEmptyChain,
  CHAIN_COLUMNS,
  ENTRY_CHAIN_SQL,
  ENTRY_CONTENT_SQL,
  CHAIN_HASH_BYTES,
  chainEntryHash,
  isChainSealed,
  SERVICE_CHAIN_ID,
  type AuditChainEnd,
} from './seal';

/** Blocks read at a time, of at most 200 entries each. */
const VERIFY_BATCH_BLOCKS = 20;

/** An entry at its position in a block. */
interface PlacedEntry {
  first_position: string;
  place: string;
  hash: string;
  /** Both null where there is no such entry in this chain. */
  id: string | null;
  content: string | null;
}

const PLACED_ENTRIES_QUERY = `
  SELECT b.first_position, s.place, encode(substr(b.hashes, (s.place::int - 1) * ${CHAIN_HASH_BYTES} + 1, ${CHAIN_HASH_BYTES}), 'hex') AS hash,
    e.id, e.content
  FROM (SELECT * FROM audit_block WHERE chain = $1 AND first_position > $2 ORDER BY first_position LIMIT ${VERIFY_BATCH_BLOCKS}) b
  CROSS JOIN LATERAL unnest(b.sequences) WITH ORDINALITY s(number, place)
  LEFT JOIN LATERAL (
    SELECT id, ${ENTRY_CONTENT_SQL} AS content FROM audit_entry WHERE sequence = s.number AND ${ENTRY_CHAIN_SQL} = $1
  ) e ON true
  ORDER BY b.first_position, s.place`;

/**
 * Verifies a chain from its beginning, or from where retention cut it, to its end. Unsealed entries are sealed first;
 * while the database takes no changes, they are left out.
 */
export async function verifyAuditChain(id: string): Promise<AuditChainCheck> {
  await sealAllEntries().catch((error: unknown) => {
    if (!isReadOnlyFailure(error)) throw error;
  });
  return withPoolTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
    const { rows } = await client.query<AuditChainEnd>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1`, [id]);
    const chain = rows[0] ?? createEmptyChain(id);
    const head = rows[0] ? { position: Number(chain.position), hash: chain.hash } : null;
    if (chain.seal !== '' && !isChainSealed(chain))
      return brokenChainVerdict(0, null, head, 'The end of the chain was changed, or its key is gone.');
    return walkChain(client, chain, head);
  });
}

const brokenChainVerdict = (
  entries: number,
  firstBroken: string | null,
  head: AuditChainCheck['head'],
  reason: string,
): AuditChainCheck => ({
  valid: false,
  entries,
  firstBroken,
  reason,
  head,
});

async function walkChain(
  client: pg.PoolClient,
  chain: AuditChainEnd,
  head: AuditChainCheck['head'],
): Promise<AuditChainCheck> {
  let position = BigInt(chain.pruned_position);
  let hash = chain.pruned_hash;
  let entries = 0;
  let lastId: string | null = null;
  for (;;) {
    const { rows } = await client.query<PlacedEntry>(PLACED_ENTRIES_QUERY, [chain.id, position.toString()]);
    for (const row of rows) {
      const isNext = BigInt(row.first_position) + BigInt(row.place) === position + 2n;
      // Reports the first entry after a gap.
      if (row.id === null || row.content === null) continue;
      if (!isNext) return brokenChainVerdict(entries, row.id, head, 'Entries before this one are missing.');
      position += 1n;
      const right = chainEntryHash(hash, chain.id, position, row.content);
      if (row.hash !== right) return brokenChainVerdict(entries, row.id, head, 'This entry was changed or moved.');
      hash = right;
      lastId = row.id;
      entries += 1;
    }
    if (rows.every(({ id }) => id === null)) break;
  }
  const isWhole = position === BigInt(chain.position) && hash === chain.hash;
  if (!isWhole) return brokenChainVerdict(entries, lastId, head, 'Entries are missing at the end.');
  const stray = await findStrayEntry(client, chain.id, entries);
  if (stray) return brokenChainVerdict(entries, stray, head, 'This entry is not part of the chain.');
  return { valid: true, entries, firstBroken: null, reason: null, head };
}

/** An entry that is neither in a chain nor waiting for one: it was inserted past the guard of the table. */
async function findStrayEntry(client: pg.PoolClient, chain: string, placedCount: number): Promise<string | undefined> {
  const [isOwn, values] = chain === SERVICE_CHAIN_ID ? ['workspace_id IS NULL', []] : ['workspace_id = $1', [chain]];
  const countResult = await client.query<{ count: string }>(
    `SELECT count(*) FROM audit_entry WHERE ${isOwn} AND sequence NOT IN (SELECT sequence FROM audit_waiting)`,
    values,
  );
  if (Number(countResult.rows[0]?.count) === placedCount) return undefined;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM audit_entry WHERE ${isOwn} AND sequence NOT IN (
       SELECT sequence FROM audit_waiting UNION ALL
       SELECT unnest(sequences) FROM audit_block WHERE chain = $${values.length + 1})
     ORDER BY sequence LIMIT 1`,
    [...values, chain],
  );
  return rows[0]?.id;
}
