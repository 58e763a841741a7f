import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { AuditVerdict } from '@/contract/audit';
import { pool } from '../db/client';
import { runtime } from '../runtime';

/** The chain of entries that belong to no workspace. */
export const SERVICE_CHAIN = 'service';

/** One process at a time gives entries their place; PostgreSQL's advisory lock of this number says which. */
const SEALER_LOCK = 72_707_370;
const BATCH = 1000;

/** An entry as it is hashed: JSON as the very text that is stored. */
interface EntryRow {
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

const COLUMNS = `id, sequence, coalesce(workspace_id, '${SERVICE_CHAIN}') AS chain, timestamp, category, action, result,
  actor::text, resource::text, metadata::text, position, hash`;

/** Where a chain ends, and where it begins since retention cut it. */
interface Chain {
  id: string;
  position: string;
  hash: string;
  pruned_position: string;
  pruned_hash: string;
  seal: string;
}

const CHAIN_COLUMNS = 'id, position, hash, pruned_position, pruned_hash, seal';

const hashOf = (previous: string, position: bigint, row: EntryRow): string =>
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
function isSealed(chain: Chain): boolean {
  const seal = Buffer.from(chain.seal, 'hex');
  return runtime().env.encryptionKeys.some((key) => {
    const right = sealUnder(key, chain);
    return right.length === seal.length && timingSafeEqual(right, seal);
  });
}

const begun = (id: string): Chain => ({ id, position: '0', hash: '', pruned_position: '0', pruned_hash: '', seal: '' });

async function inTransaction<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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
  const { rowCount } = await pool().query({ name: 'audit-unsealed', text: 'SELECT FROM audit_entry WHERE position IS NULL LIMIT 1' });
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
       FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS s(sequence, position, hash) WHERE e.sequence = s.sequence`,
      [rows.map(({ sequence }) => sequence), hashes.map(({ position }) => position), hashes.map(({ hash }) => hash)],
    );
    for (const chain of chains.values()) await keep(client, chain);
    return rows.length;
  });
}

/** What stands for a seal from when a chain's end was found changed: it goes on, and is known as broken ever after. */
const BROKEN = 'broken';

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

const keep = (client: pg.PoolClient, chain: Chain) => {
  const { id, position, hash, pruned_position, pruned_hash, seal } = chain.seal === BROKEN ? chain : sealed(chain);
  return client.query(
    `INSERT INTO audit_chain (${CHAIN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET position = $2, hash = $3, pruned_position = $4, pruned_hash = $5, seal = $6`,
    [id, position, hash, pruned_position, pruned_hash, seal],
  );
};

/** Walks a chain from its beginning, or from where retention cut it, to its end. Entries not sealed yet are sealed first. */
export async function verifyChain(id: string): Promise<AuditVerdict> {
  await sealEntries();
  return inTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1`, [id]);
    const chain = rows[0] ?? begun(id);
    const head = rows[0] ? { position: Number(chain.position), hash: chain.hash } : null;
    if (chain.seal !== '' && !isSealed(chain)) return broken(0, null, head, 'The end of the chain was changed, or its key is gone.');
    return walk(client, chain, head);
  });
}

const broken = (entries: number, firstBroken: string | null, head: AuditVerdict['head'], reason: string): AuditVerdict => ({
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
      if (BigInt(row.position ?? 0) !== position + 1n) return broken(entries, row.id, head, 'Entries before this one are missing.');
      position += 1n;
      const right = hashOf(hash, position, row);
      if (row.hash !== right) return broken(entries, row.id, head, 'This entry is not as it was written, or not in its place.');
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

/** Ids of all chains that there are or were entries of. */
export async function chainIds(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM audit_chain UNION SELECT DISTINCT coalesce(workspace_id, '${SERVICE_CHAIN}') FROM audit_entry ORDER BY 1`,
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
    await client.query('SELECT pg_advisory_xact_lock($1)', [SEALER_LOCK]);
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain WHERE id = $1`, [id]);
    const [chain] = rows;
    // A chain that somebody tampered with is left as evidence.
    if (!chain || !isSealed(chain)) return 0;
    const mine = `coalesce(workspace_id, '${SERVICE_CHAIN}') = $1 AND position IS NOT NULL`;
    const last = await client.query<{ position: string; hash: string }>(
      `SELECT position, hash FROM audit_entry WHERE ${mine} AND position < coalesce(
         (SELECT min(position) FROM audit_entry WHERE ${mine} AND timestamp >= now() - make_interval(days => $2)), $3::bigint + 1)
       ORDER BY position DESC LIMIT 1`,
      [id, days, chain.position],
    );
    const [end] = last.rows;
    if (!end) return 0;
    await client.query(`SELECT set_config('weft.audit_retention', 'on', true)`);
    const { rowCount } = await client.query(`DELETE FROM audit_entry WHERE ${mine} AND position <= $2`, [id, end.position]);
    await keep(client, { ...chain, pruned_position: end.position, pruned_hash: end.hash });
    return rowCount ?? 0;
  });

/** Seals the end of every chain anew under the first key, so that older keys may go. */
export const resealChains = (): Promise<number> =>
  inTransaction('BEGIN', async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [SEALER_LOCK]);
    const { rows } = await client.query<Chain>(`SELECT ${CHAIN_COLUMNS} FROM audit_chain`);
    const intact = rows.filter(isSealed);
    for (const chain of intact) await keep(client, chain);
    return intact.length;
  });
