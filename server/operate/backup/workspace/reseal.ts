import type pg from 'pg';
import { SEALED_COLUMNS } from '@/server/platform/db/rotate';
import { openSealedText, sealText } from '@/server/platform/db/seal';
import { quoteSqlName } from '../catalogue';
import { BackupFault } from '../fault';
import { EXPORTED_TABLES } from './content';

/** The keys that open sealed values, and the key that seals them again. */
export interface ResealKeys {
  from: readonly string[];
  to: string;
  /** Why a value cannot be opened. */
  fault: (place: string) => string;
}

/** The exported columns of a table that are sealed. */
export const listSealedColumns = (table: string) =>
  SEALED_COLUMNS.filter((one) => one.table === table && !EXPORTED_TABLES[table]?.without?.includes(one.column));

/** A sealed value under the other key, bound to the same row. */
function resealValue(value: string, boundTo: string, place: string, { from, to, fault }: ResealKeys): string {
  let plain: string;
  try {
    plain = openSealedText(value, boundTo, [...from]);
  } catch {
    throw new BackupFault(fault(place));
  }
  return sealText(plain, boundTo, [to]);
}

const COPY_NULL = String.raw`\N`;

/**
 * Rows in the text format of COPY, with their sealed columns under the other key. Each row has one column more than
 * `columns`, which says what its values are bound to, and which is left out.
 */
export async function* resealRows(
  rows: AsyncIterable<Buffer>,
  { table, columns }: { table: string; columns: readonly string[] },
  keys: ResealKeys,
): AsyncGenerator<Buffer> {
  const places = listSealedColumns(table).map(({ column }) => columns.indexOf(column));
  for await (const line of splitLines(rows)) {
    const fields = line.split('\t');
    const boundTo = fields.pop() ?? '';
    for (const place of places) {
      const value = fields[place];
      // Sealed values and ids have no characters that COPY writes in another way.
      if (value !== undefined && value !== '' && value !== COPY_NULL)
        fields[place] = resealValue(value, boundTo, boundTo, keys);
    }
    yield Buffer.from(`${fields.join('\t')}\n`);
  }
}

async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const RESEAL_BATCH_SIZE = 200;

interface SealedValueRow {
  key: string;
  bound_to: string;
  value: string;
}

/** Seals the values of a table anew that has the columns of `table`, in place. */
export async function resealTable(client: pg.Client, name: string, table: string, keys: ResealKeys): Promise<void> {
  for (const { column, key, boundTo } of listSealedColumns(table)) {
    const batch = `SELECT ${key} AS key, ${boundTo} AS bound_to, ${column} AS value FROM ${quoteSqlName(name)}
      WHERE ${column} <> '' AND (${key}) COLLATE "C" > $1 ORDER BY (${key}) COLLATE "C" LIMIT ${RESEAL_BATCH_SIZE}`;
    for (let last = ''; ;) {
      const { rows } = await client.query<SealedValueRow>(batch, [last]);
      const fresh = rows.map(({ value, bound_to, key: place }) => resealValue(value, bound_to, place, keys));
      await client.query(
        `UPDATE ${quoteSqlName(name)} SET ${column} = n.value FROM unnest($1::text[], $2::text[]) AS n(key, value) WHERE ${key} = n.key`,
        [rows.map((row) => row.key), fresh],
      );
      const end = rows.at(-1);
      if (!end || rows.length < RESEAL_BATCH_SIZE) break;
      last = end.key;
    }
  }
}
