import { pool } from './client';
import { isUnderNewest, open, seal } from './seal';
import { runtime } from '@/server/runtime';

/** A column with sealed text, and the context that it is bound to. */
interface SealedColumn {
  table: string;
  column: string;
  /** SQL for a text that identifies the row. */
  key: string;
  /** SQL for the `boundTo` argument of `seal`. */
  boundTo: string;
  keys: 'encryptionKeys' | 'mfaSecretKeys';
}

/** Every column with sealed values. A column missing here is lost when an old key is removed. */
export const SEALED_COLUMNS: SealedColumn[] = [
  { table: 'credential', column: 'sealed', key: 'id', boundTo: `'credential:' || id`, keys: 'encryptionKeys' },
  {
    table: 'connector_registration',
    column: 'sealed',
    key: `workspace_id || ':' || connector_id`,
    boundTo: `'registration:' || workspace_id || ':' || connector_id`,
    keys: 'encryptionKeys',
  },
  {
    table: 'connector_registration',
    column: 'sealed_parameters',
    key: `workspace_id || ':' || connector_id`,
    boundTo: `'registration:' || workspace_id || ':' || connector_id`,
    keys: 'encryptionKeys',
  },
  { table: 'webhook', column: 'secret', key: 'id', boundTo: `'webhook:' || id`, keys: 'encryptionKeys' },
  { table: 'webhook', column: 'old_secret', key: 'id', boundTo: `'webhook:' || id`, keys: 'encryptionKeys' },
  { table: 'sso_provider', column: 'secrets', key: 'id', boundTo: `'sso-provider:' || id`, keys: 'encryptionKeys' },
  { table: 'alert', column: 'secret', key: 'id', boundTo: `'alert:' || id`, keys: 'encryptionKeys' },
  { table: 'stored_reply', column: 'reply', key: 'scope', boundTo: 'scope', keys: 'encryptionKeys' },
  { table: 'app_user', column: 'mfa_secret', key: 'id', boundTo: `'mfa:' || id`, keys: 'mfaSecretKeys' },
];

const BATCH = 200;

/** The result for one column. */
export interface Rotation {
  table: string;
  column: string;
  /** Number of values sealed again. */
  rewritten: number;
  /** Keys of the rows that no configured key opens. */
  unreadable: string[];
}

interface Row {
  key: string;
  bound_to: string;
  value: string;
}

/**
 * Seals every value of a column anew that is not under the newest key yet. Safe while the service runs, if all its
 * processes know the newest key: a value that is changed concurrently stays as it was written.
 */
export async function rotateColumn({ table, column, key, boundTo, keys: ring }: SealedColumn): Promise<Rotation> {
  const keys = runtime().env[ring];
  const rotation: Rotation = { table, column, rewritten: 0, unreadable: [] };
  // Rows without a sealed value have an empty text, such as the one that /readyz writes.
  const batchAfter = `SELECT ${key} AS key, ${boundTo} AS bound_to, ${column} AS value FROM ${table}
    WHERE ${column} IS NOT NULL AND ${column} <> '' AND (${key}) COLLATE "C" > $1 ORDER BY (${key}) COLLATE "C" LIMIT ${BATCH}`;
  for (let last = ''; ;) {
    const { rows } = await pool().query<Row>(batchAfter, [last]);
    for (const row of rows) {
      if (isUnderNewest(row.value, keys)) continue;
      const fresh = resealed(row, keys);
      if (fresh === null) rotation.unreadable.push(row.key);
      else
        rotation.rewritten +=
          (
            await pool().query(`UPDATE ${table} SET ${column} = $2 WHERE ${key} = $1 AND ${column} = $3`, [
              row.key,
              fresh,
              row.value,
            ])
          ).rowCount ?? 0;
    }
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return rotation;
    last = end.key;
  }
}

function resealed({ value, bound_to }: Row, keys: string[]): string | null {
  try {
    return seal(open(value, bound_to, keys), bound_to, keys);
  } catch {
    // The caller reports it; the value stays, because the key may be found again.
    return null;
  }
}
