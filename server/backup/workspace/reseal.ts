import type pg from 'pg';
import { SEALED_COLUMNS } from '@/server/db/rotate';
import { open, seal } from '@/server/db/seal';
import { quoted } from '../catalogue';
import { BackupFault } from '../fault';
import { EXPORTED } from './content';

/** From which keys to which key sealed values go. */
export interface Reseal {
  from: readonly string[];
  to: string;
  /** Why a value cannot be opened. */
  fault: (place: string) => string;
}

/** The exported columns of a table that are sealed. */
export const sealedColumnsOf = (table: string) =>
  SEALED_COLUMNS.filter((one) => one.table === table && !EXPORTED[table]?.without?.includes(one.column));

/** A sealed value under the other key, bound to the same row. */
function resealed(value: string, boundTo: string, place: string, { from, to, fault }: Reseal): string {
  let plain: string;
  try {
    plain = open(value, boundTo, [...from]);
  } catch {
    throw new BackupFault(fault(place));
  }
  return seal(plain, boundTo, [to]);
}

const NOTHING = String.raw`\N`;

/**
 * Rows in the text format of COPY, with their sealed columns under the other key. Each row has one column more than `columns`, which says
 * what its values are bound to, and which is left out.
 */
export async function* resealRows(
  rows: AsyncIterable<Buffer>,
  { table, columns }: { table: string; columns: readonly string[] },
  keys: Reseal,
): AsyncGenerator<Buffer> {
  const places = sealedColumnsOf(table).map(({ column }) => columns.indexOf(column));
  for await (const line of linesOf(rows)) {
    const fields = line.split('\t');
    const boundTo = fields.pop() ?? '';
    for (const place of places) {
      const value = fields[place];
      // Sealed values and ids have no characters that COPY writes in another way.
      if (value !== undefined && value !== '' && value !== NOTHING)
        fields[place] = resealed(value, boundTo, boundTo, keys);
    }
    yield Buffer.from(`${fields.join('\t')}\n`);
  }
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const BATCH = 200;

interface Row {
  key: string;
  bound_to: string;
  value: string;
}

/** Seals the values of a table anew that has the columns of `table`, in place. */
export async function resealTable(client: pg.Client, name: string, table: string, keys: Reseal): Promise<void> {
  for (const { column, key, boundTo } of sealedColumnsOf(table)) {
    const batch = `SELECT ${key} AS key, ${boundTo} AS bound_to, ${column} AS value FROM ${quoted(name)}
      WHERE ${column} <> '' AND (${key}) COLLATE "C" > $1 ORDER BY (${key}) COLLATE "C" LIMIT ${BATCH}`;
    for (let last = ''; ;) {
      const { rows } = await client.query<Row>(batch, [last]);
      const fresh = rows.map(({ value, bound_to, key: place }) => resealed(value, bound_to, place, keys));
      await client.query(
        `UPDATE ${quoted(name)} SET ${column} = n.value FROM unnest($1::text[], $2::text[]) AS n(key, value) WHERE ${key} = n.key`,
        [rows.map((row) => row.key), fresh],
      );
      const end = rows.at(-1);
      if (!end || rows.length < BATCH) break;
      last = end.key;
    }
  }
}
