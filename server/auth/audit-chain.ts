import { pool } from '../db/client';
import {
  begun,
  BROKEN,
  CHAIN_COLUMNS,
  CHAIN_OF,
  CONTENT,
  END_OF_BLOCK,
  hashOf,
  isSealed,
  sealed,
  type Chain,
} from './audit-seal';

/** Small enough that requests under way hardly wait for it. */
const BATCH = 200;

/** The entries of one chain that wait for their place, and the chain as it is stored: all of it null for a new one. */
interface Unsealed extends Record<Exclude<keyof Chain, 'id'>, string | null> {
  id: string;
  /** Numbers, joined by commas. */
  sequences: string;
  /** Contents, one per line. */
  contents: string;
}

/**
 * The first that wait, after number `$1` and up to `$2`, and the number up to which that looked; without any, one row of
 * nulls. A range of numbers, for with a limit PostgreSQL reads all that wait each time, and sorts them.
 */
const UNSEALED = `
  WITH first AS MATERIALIZED (SELECT min(sequence) AS sequence FROM audit_waiting WHERE sequence > $1 AND sequence <= $2),
  entry AS MATERIALIZED (
    SELECT sequence, ${CHAIN_OF} AS chain, ${CONTENT} AS content FROM audit_waiting JOIN audit_entry USING (sequence)
    WHERE sequence >= (SELECT sequence FROM first) AND sequence < (SELECT sequence FROM first) + ${BATCH} AND sequence <= $2
  ),
  waiting AS (
    SELECT chain, string_agg(sequence::text, ',' ORDER BY sequence) AS sequences,
      string_agg(content, E'\\n' ORDER BY sequence) AS contents
    FROM entry GROUP BY chain
  )
  SELECT first.sequence + ${BATCH - 1} AS last, chain AS id, sequences, contents, position, hash, pruned_position, pruned_hash, seal
  FROM first LEFT JOIN waiting ON true LEFT JOIN audit_chain c ON c.id = chain`;

/** Moves the ends of those chains that nobody has moved in between, and gives their entries their places. */
const SEAL = `
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
 * Gives every entry that is committed by now its place in its chain. The order is made here, not where entries are written:
 * writers never wait for each other, and one that commits late simply comes later.
 */
export async function sealEntries(): Promise<void> {
  await sealAll(true);
}

/** The same, but as soon as another process comes first the rest is left to that one. */
export async function sealInTurn(): Promise<void> {
  await sealAll(false);
}

async function sealAll(isInsisted: boolean): Promise<void> {
  // Where to stop: entries that keep coming are for the next time.
  const { rows } = await pool().query<{ last: string }>('SELECT coalesce(max(sequence), 0) AS last FROM audit_waiting');
  const until = rows[0]?.last ?? '0';
  let after: string | null = '0';
  while (after !== null) {
    const { last, found } = await unsealed(after, until);
    if (await sealSome(found)) after = last;
    else if (!isInsisted) return;
  }
}

/** `last`: up to which number nothing is left when all of these are sealed; null: to the end. */
async function unsealed(after: string, until: string): Promise<{ last: string | null; found: Unsealed[] }> {
  const { rows } = await pool().query<Omit<Unsealed, 'id'> & { id: string | null; last: string | null }>({
    name: 'audit-unsealed',
    text: UNSEALED,
    values: [after, until],
  });
  // Where all that waited in this range is gone, there is nothing to be sealed in it.
  return { last: rows[0]?.last ?? null, found: rows.filter((row): row is typeof row & Unsealed => row.id !== null) };
}

/** False: somebody else has moved one of these chains, and its entries were not sealed. */
async function sealSome(rows: Unsealed[]): Promise<boolean> {
  if (rows.length === 0) return true;
  let count = 0;
  const ends: Chain[] = [];
  const blocks: Buffer[] = [];
  for (const row of rows) {
    const chain = await chainOf(row);
    let { hash } = chain;
    let position = BigInt(chain.position);
    const hashes: string[] = [];
    for (const content of row.contents.split('\n')) {
      position += 1n;
      hash = hashOf(hash, row.id, position, content);
      hashes.push(hash);
    }
    count += hashes.length;
    ends.push(sealed({ ...chain, position: position.toString(), hash }));
    blocks.push(Buffer.from(hashes.join(''), 'hex'));
  }
  const { rowCount } = await pool().query({
    name: 'audit-seal',
    text: SEAL,
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

/** The chain that these entries go on. */
async function chainOf({ id, position, hash, pruned_position, pruned_hash, seal }: Unsealed): Promise<Chain> {
  if (position === null || hash === null || pruned_position === null || pruned_hash === null || seal === null) {
    return remainsOf(id);
  }
  const chain = { id, position, hash, pruned_position, pruned_hash, seal };
  return isSealed(chain) ? chain : { ...chain, seal: BROKEN };
}

/** A chain that isn't stored: a new one, unless entries have a place in it. Then somebody has removed its end. */
async function remainsOf(id: string): Promise<Chain> {
  const { rows } = await pool().query<{ position: string; hash: string }>(
    `SELECT ${END_OF_BLOCK} FROM audit_block WHERE chain = $1 ORDER BY first_position DESC LIMIT 1`,
    [id],
  );
  const [last] = rows;
  return last ? { ...begun(id), ...last, seal: BROKEN } : begun(id);
}
