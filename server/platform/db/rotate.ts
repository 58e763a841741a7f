import { databasePool } from './client';
import { isSealedUnderNewest, openSealedText, sealText } from './seal';
import { getRuntime } from '@/server/platform/runtime';

/** A column with sealed text, and the context that it is bound to. */
interface SealedColumnDefinition {
  table: string;
  column: string;
  /** SQL for a text that identifies the row. */
  key: string;
  /** SQL for the `boundTo` argument of `sealText`. */
  boundTo: string;
  keys: 'encryptionKeys' | 'mfaSecretKeys';
}

/** Every column with sealed values. A column missing here is lost when an old key is removed. */
export const SEALED_COLUMNS: SealedColumnDefinition[] = [
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
  {
    table: 'webhook_subscription',
    column: 'kept_sealed',
    key: 'id',
    boundTo: `'credential:' || credential_id`,
    keys: 'encryptionKeys',
  },
  { table: 'sso_provider', column: 'secrets', key: 'id', boundTo: `'sso-provider:' || id`, keys: 'encryptionKeys' },
  { table: 'alert', column: 'secret', key: 'id', boundTo: `'alert:' || id`, keys: 'encryptionKeys' },
  { table: 'stored_reply', column: 'reply', key: 'scope', boundTo: 'scope', keys: 'encryptionKeys' },
  { table: 'app_user', column: 'mfa_secret', key: 'id', boundTo: `'mfa:' || id`, keys: 'mfaSecretKeys' },
];

const ROTATION_BATCH_SIZE = 200;

/** The result for one column. */
export interface KeyRotationResult {
  table: string;
  column: string;
  /** Number of values sealed again. */
  rewritten: number;
  /** Keys of the rows that no configured key opens. */
  unreadable: string[];
}

interface RotatedValueRow {
  key: string;
  bound_to: string;
  value: string;
}

/**
 * Seals every value of a column anew that is not under the newest key yet. Safe while the service runs, if all its
 * processes know the newest key: a value that is changed concurrently stays as it was written.
 */
export async function rotateColumnKeys({
  table,
  column,
  key,
  boundTo,
  keys: ring,
}: SealedColumnDefinition): Promise<KeyRotationResult> {
  const keys = getRuntime().env[ring];
  const rotation: KeyRotationResult = { table, column, rewritten: 0, unreadable: [] };
  // Rows without a sealed value have an empty text, such as the one that /readyz writes.
  const batchAfter = `SELECT ${key} AS key, ${boundTo} AS bound_to, ${column} AS value FROM ${table}
    WHERE ${column} IS NOT NULL AND ${column} <> '' AND (${key}) COLLATE "C" > $1 ORDER BY (${key}) COLLATE "C" LIMIT ${ROTATION_BATCH_SIZE}`;
  for (let last = ''; ;) {
    const { rows } = await databasePool().query<RotatedValueRow>(batchAfter, [last]);
    for (const row of rows) {
      if (isSealedUnderNewest(row.value, keys)) continue;
      const fresh = sealAgain(row, keys);
      if (fresh === null) rotation.unreadable.push(row.key);
      else
        rotation.rewritten +=
          (
            await databasePool().query(`UPDATE ${table} SET ${column} = $2 WHERE ${key} = $1 AND ${column} = $3`, [
              row.key,
              fresh,
              row.value,
            ])
          ).rowCount ?? 0;
    }
    const end = rows.at(-1);
    if (!end || rows.length < ROTATION_BATCH_SIZE) return rotation;
    last = end.key;
  }
}

function sealAgain({ value, bound_to }: RotatedValueRow, keys: string[]): string | null {
  try {
    return sealText(openSealedText(value, bound_to, keys), bound_to, keys);
  } catch {
    // The caller reports it; the value stays, because the key may be found again.
    return null;
  }
}
