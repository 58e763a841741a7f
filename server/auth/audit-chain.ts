import type pg from 'pg';
import type { AuditVerdict } from '@/contract/audit';
import { pool } from '../db/client';
import {
  begun,
  BROKEN,
  CHAIN_COLUMNS,
  CHAIN_OF,
  CONTENT,
  hashOf,
  inTransaction,
  isSealed,
  sealed,
  type Chain,
  type EntryRow,
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
 * The first that wait, if there are any up to `$1`. A range of numbers, for with a limit PostgreSQL reads all that wait
 * each time, and sorts them.
 */
const UNSEALED = `
  WITH first AS MATERIALIZED (SELECT min(sequence) AS sequence FROM audit_entry WHERE position IS NULL AND sequence <= $1),
  entry AS MATERIALIZED (
    SELECT sequence, ${CHAIN_OF} AS chain, ${CONTENT} AS content FROM audit_entry
    WHERE position IS NULL AND sequence >= (SELECT sequence FROM first) AND sequence < (SELECT sequence FROM first) + ${BATCH}
  ),
  waiting AS (
    SELECT chain, string_agg(sequence::text, ',' ORDER BY sequence) AS sequences,
      string_agg(content, E'\\n' ORDER BY sequence) AS contents
    FROM entry GROUP BY chain
  )
  SELECT chain AS id, sequences, contents, position, hash, pruned_position, pruned_hash, seal
  FROM waiting LEFT JOIN audit_chain c ON c.id = chain`;

/** Moves the ends of those chains that nobody has moved in between, and gives their entries their places. */
const SEAL = `
  WITH moved AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::text[])
      AS m(id, seal_before, position_before, position, hash, pruned_position, pruned_hash, seal)
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
  )
  UPDATE audit_entry e SET position = s.position, hash = s.hash
  FROM unnest($9::bigint[], $10::bigint[], $11::text[]) AS s(sequence, position, hash)
  WHERE e.sequence = s.sequence AND ${CHAIN_OF} IN (SELECT id FROM kept UNION ALL SELECT id FROM begun)`;

/**
 * Gives every entry that is committed by now its place in its chain. The order is made here, not where entries are written:
 * writers never wait for each other, and one that commits late simply comes later.
 */
export async function sealEntries(): Promise<void> {
  const last = await lastSequence();
  while ((await sealSome(last)) !== 'nothing');
}

/** The same, but as soon as another process comes first the rest is left to that one. */
export async function sealInTurn(): Promise<void> {
  const last = await lastSequence();
  while ((await sealSome(last)) === 'sealed');
}

/** Where to stop: entries that keep coming are for the next time. */
async function lastSequence(): Promise<string | null> {
  const { rows } = await pool().query<{ last: string | null }>('SELECT max(sequence) AS last FROM audit_entry');
  return rows[0]?.last ?? null;
}

async function sealSome(last: string | null): Promise<'sealed' | 'overtaken' | 'nothing'> {
  const { rows } = await pool().query<Unsealed>({ name: 'audit-unsealed', text: UNSEALED, values: [last] });
  if (rows.length === 0) return 'nothing';
  const sequences: string[] = [];
  const positions: bigint[] = [];
  const hashes: string[] = [];
  const ends: Chain[] = [];
  for (const row of rows) {
    const chain = await chainOf(row);
    let { hash } = chain;
    let position = BigInt(chain.position);
    for (const content of row.contents.split('\n')) {
      position += 1n;
      hash = hashOf(hash, row.id, position, content);
      positions.push(position);
      hashes.push(hash);
    }
    sequences.push(row.sequences);
    ends.push(sealed({ ...chain, position: position.toString(), hash }));
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
      // Numbers and hashes need no quotes.
      `{${sequences.join(',')}}`,
      `{${positions.join(',')}}`,
      `{${hashes.join(',')}}`,
    ],
  });
  return rowCount === hashes.length ? 'sealed' : 'overtaken';
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
    `SELECT position, hash FROM audit_entry WHERE ${CHAIN_OF} = $1 AND position IS NOT NULL ORDER BY position DESC LIMIT 1`,
    [id],
  );
  const [last] = rows;
  return last ? { ...begun(id), ...last, seal: BROKEN } : begun(id);
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
      `SELECT id, position, hash, ${CONTENT} AS content FROM audit_entry WHERE ${CHAIN_OF} = $1 AND position > $2
       ORDER BY position LIMIT ${BATCH}`,
      [chain.id, position.toString()],
    );
    for (const row of rows) {
      if (BigInt(row.position ?? 0) !== position + 1n)
        return broken(entries, row.id, head, 'Entries before this one are missing.');
      position += 1n;
      const right = hashOf(hash, chain.id, position, row.content);
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
