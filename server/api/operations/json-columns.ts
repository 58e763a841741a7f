import { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';

/**
 * Columns of JSON in a table. `columns`: by the names of their fields. `key`: tells the rows apart, all of which are
 * `within` a condition.
 */
export interface JsonColumns<Row, Field extends string> {
  table: string;
  columns: Record<Field, string>;
  key: string;
  keyOfRow(row: Row): string;
  within?: Prisma.Sql;
}

/**
 * Adds columns of JSON to rows that were read without them: as the text that PostgreSQL has, which an answer passes on.
 * Prisma would parse the values of all rows in one go. Each value is a row of its own, so that node-postgres decodes
 * one at a time.
 */
export async function addJsonColumns<Row, Field extends string>(
  db: DatabaseClient,
  rows: readonly Row[],
  { table, columns, key, keyOfRow, within = Prisma.sql`true` }: JsonColumns<Row, Field>,
): Promise<(Row & Record<Field, Prisma.JsonValue>)[]> {
  const keys = rows.map(keyOfRow);
  const none = Object.fromEntries(Object.keys(columns).map((field) => [field, null]));
  const values = new Map(keys.map((one): [string, Record<string, LargeJsonText | null>] => [one, { ...none }]));
  for (const [field, column] of Object.entries<string>(columns)) {
    const [name, value] = [Prisma.raw(key), Prisma.raw(column)];
    const found = await db.$queryRaw<{ key: string; text: string }[]>`
      SELECT ${name} AS key, ${value}::text AS text FROM ${Prisma.raw(table)}
      WHERE ${within} AND ${name} = ANY(${keys}) AND ${value} IS NOT NULL`;
    for (const one of found) Object.assign(values.get(one.key) ?? {}, { [field]: new LargeJsonText(one.text) });
  }
  return rows.map((row) => ({ ...row, ...values.get(keyOfRow(row)) })) as (Row & Record<Field, Prisma.JsonValue>)[];
}

/** The row with the values of the texts that `addJsonColumns` has added, for what looks into them. */
export async function parseJsonColumns<Row extends object>(row: Row): Promise<Row> {
  const entries = Object.entries(row).map(async ([field, value]) => {
    const text = value instanceof LargeJsonText ? value.text : undefined;
    return [field, text === undefined ? value : await parseStoredJson(text)] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Row;
}
