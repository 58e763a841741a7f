import { databasePool } from '@/server/platform/db/client';
import {
  createEmptyChain,
  BROKEN_SEAL,
  CHAIN_COLUMNS,
  ENTRY_CHAIN_SQL,
  ENTRY_CONTENT_SQL,
  BLOCK_END_COLUMNS,
  chainEntryHash,
  isChainSealed,
  sealChain,
  type AuditChainEnd,
} from './seal';

/** Batch size, small enough that concurrent requests hardly wait. */
const SEAL_BATCH_SIZE = 200;

/** The unsealed entries of one chain, and the stored end of the chain: all of it null for a new chain. */
interface UnsealedEntries extends Record<Exclude<keyof AuditChainEnd, 'id'>, string | null> {
  id: string;
  /** The numbers of the entries, joined by commas. */
  sequences: string;
  /** The contents of the entries, one per line. */
  contents: string;
}

/**
 * The first unsealed entries, after number `$1` and up to `$2`, and the highest number that was examined; one row of
 * nulls if there are none. It selects a range of numbers, because with a limit PostgreSQL would read and sort all
 * unsealed entries each time.
 */
const UNSEALED_ENTRIES_QUERY = `
  WITH first AS MATERIALIZED (SELECT min(sequence) AS sequence FROM audit_waiting WHERE sequence > $1 AND sequence <= $2),
  entry AS MATERIALIZED (
    SELECT sequence, ${ENTRY_CHAIN_SQL} AS chain, ${ENTRY_CONTENT_SQL} AS content FROM audit_waiting JOIN audit_entry USING (sequence)
    WHERE sequence >= (SELECT sequence FROM first) AND sequence < (SELECT sequence FROM first) + ${SEAL_BATCH_SIZE} AND sequence <= $2
  ),
  waiting AS (
    SELECT chain, string_agg(sequence::text, ',' ORDER BY sequence) AS sequences,
      string_agg(content, E'\\n' ORDER BY sequence) AS contents
    FROM entry GROUP BY chain
  )
  SELECT first.sequence + ${SEAL_BATCH_SIZE - 1} AS last, chain AS id, sequences, contents, position, hash, pruned_position, pruned_hash, seal
  FROM first LEFT JOIN waiting ON true LEFT JOIN audit_chain c ON c.id = chain`;

/**
 * Moves the ends of the chains that no other process has moved since they were read, and assigns positions to their
 * entries.
 */
const SEAL_ENTRIES_STATEMENT = `
  WITH moved AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::text[],
        $9::text[], $10::bytea[])
      AS m(id, seal_before, position_before, position, hash, pruned_position, pruned_hash, seal, sequences, hashes)
  ),
  held AS MATERIALIZED (
    SELECT c.id FROM audit_chain c JOIN moved m ON (m.id, m.seal_before, m.position_before) = (c.id, c.seal, c.position)
    ORDER BY c.id FOR UPDATE OF c
  ),
  kept AS (
    UPDATE audit_chain c SET position = m.position, hash = m.hash, seal = m.seal FROM moved m
    WHERE c.id = m.id AND c.id IN (SELECT id FROM held)
    RETURNING c.id
  ),
  begun AS (
    INSERT INTO audit_chain (${CHAIN_COLUMNS})
    SELECT ${CHAIN_COLUMNS} FROM moved WHERE seal_before IS NULL ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ),
  placed AS (
    INSERT INTO audit_block (chain, first_position, sequences, hashes)
    SELECT id, position - cardinality(sequences::bigint[]) + 1, sequences::bigint[], hashes
    FROM moved WHERE id IN (SELECT id FROM kept UNION ALL SELECT id FROM begun)
    RETURNING sequences
  )
  DELETE FROM audit_waiting WHERE sequence IN (SELECT unnest(sequences) FROM placed)`;

/**
 * Assigns every committed entry its position in its chain. The order is decided here and not by the writers: writers
 * never wait for each other, and an entry that commits late comes later.
 */
export async function sealAllEntries(): Promise<void> {
  await sealWaitingEntries(true);
}

/** The same, but stops when another process seals at the same time; that process does the rest. */
export async function sealEntriesUncontended(): Promise<void> {
  await sealWaitingEntries(false);
}

async function sealWaitingEntries(isInsisted: boolean): Promise<void> {
  // The upper bound: entries that arrive meanwhile are left to the next call.
  const { rows } = await databasePool().query<{ last: string }>(
    'SELECT coalesce(max(sequence), 0) AS last FROM audit_waiting',
  );
  const until = rows[0]?.last ?? '0';
  let after: string | null = '0';
  while (after !== null) {
    const { last, found } = await readUnsealedEntries(after, until);
    if (await sealEntryBatch(found)) after = last;
    else if (!isInsisted) return;
  }
}

/** `last`: the number up to which nothing is left when all of these are sealed; null: to the end. */
async function readUnsealedEntries(
  after: string,
  until: string,
): Promise<{ last: string | null; found: UnsealedEntries[] }> {
  const { rows } = await databasePool().query<Omit<UnsealedEntries, 'id'> & { id: string | null; last: string | null }>(
    {
      name: 'audit-unsealed',
      text: UNSEALED_ENTRIES_QUERY,
      values: [after, until],
    },
  );
  // All unsealed entries of this range are gone, so there is nothing to seal in it.
  return {
    last: rows[0]?.last ?? null,
    found: rows.filter((row): row is typeof row & UnsealedEntries => row.id !== null),
  };
}

/** Returns false if another process has moved one of these chains; its entries are then not sealed. */
async function sealEntryBatch(rows: UnsealedEntries[]): Promise<boolean> {
  if (rows.length === 0) return true;
  let count = 0;
  const ends: AuditChainEnd[] = [];
  const blocks: Buffer[] = [];
  for (const row of rows) {
    const chain = await verifyChainEnd(row);
    let { hash } = chain;
    let position = BigInt(chain.position);
    const hashes: string[] = [];
    for (const content of row.contents.split('\n')) {
      position += 1n;
      hash = chainEntryHash(hash, row.id, position, content);
      hashes.push(hash);
    }
    count += hashes.length;
    ends.push(sealChain({ ...chain, position: position.toString(), hash }));
    blocks.push(Buffer.from(hashes.join(''), 'hex'));
  }
  const { rowCount } = await databasePool().query({
    name: 'audit-seal',
    text: SEAL_ENTRIES_STATEMENT,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ seal }) => seal),
      rows.map(({ position }) => position),
      ends.map(({ position }) => position),
      ends.map(({ hash }) => hash),
      ends.map(({ pruned_position }) => pruned_position),
      ends.map(({ pruned_hash }) => pruned_hash),
      ends.map(({ seal }) => seal),
      rows.map(({ sequences }) => `{${sequences}}`),
      blocks,
    ],
  });
  return rowCount === count;
}

/** The chain that these entries are appended to. */
async function verifyChainEnd({
  id,
  position,
  hash,
  pruned_position,
  pruned_hash,
  seal,
}: UnsealedEntries): Promise<AuditChainEnd> {
  if (position === null || hash === null || pruned_position === null || pruned_hash === null || seal === null) {
    return recoverChainEnd(id);
  }
  const chain = { id, position, hash, pruned_position, pruned_hash, seal };
  return isChainSealed(chain) ? chain : { ...chain, seal: BROKEN_SEAL };
}

/** A chain without a stored end is new, unless entries have positions in it. In that case the end was deleted. */
async function recoverChainEnd(id: string): Promise<AuditChainEnd> {
  const { rows } = await databasePool().query<{ position: string; hash: string }>(
    `SELECT ${BLOCK_END_COLUMNS} FROM audit_block WHERE chain = $1 ORDER BY first_position DESC LIMIT 1`,
    [id],
  );
  const [last] = rows;
  return last ? { ...createEmptyChain(id), ...last, seal: BROKEN_SEAL } : createEmptyChain(id);
}
