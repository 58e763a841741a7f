import type pg from 'pg';

/** Migrations as the database has recorded them: not rows to restore, because restoring applies them. */
export const MIGRATION_HISTORY_TABLE = '_prisma_migrations';

export const quoteSqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The names of all tables of the service, those that have the rows of users' tables last, without the history of
 * migrations.
 */
export async function listTableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname <> $1 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY c.relname LIKE 'tbl\\_%', c.relname COLLATE "C"`,
    [MIGRATION_HISTORY_TABLE],
  );
  return rows.map(({ name }) => name);
}

/** The columns that are stored, in their order. */
export async function listColumnNames(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' ORDER BY attnum`,
    [quoteSqlName(table)],
  );
  return rows.map(({ name }) => name);
}

/** The applied migrations; empty if the database has never had the service's schema. */
export async function listAppliedMigrations(client: pg.Client): Promise<{ name: string; checksum: string }[]> {
  const found = await client.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
    MIGRATION_HISTORY_TABLE,
  ]);
  if (!found.rows[0]?.name) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM ${MIGRATION_HISTORY_TABLE} WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL
     ORDER BY started_at, migration_name`,
  );
  return rows;
}

interface ForeignKeyDefinition {
  table: string;
  name: string;
  definition: string;
}

/** SQL that removes all foreign keys, and SQL that adds them again and checks all rows. */
export async function foreignKeyStatements(client: pg.Client): Promise<{ remove: string[]; add: string[] }> {
  const { rows } = await client.query<ForeignKeyDefinition>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  return {
    remove: rows.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    add: rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
  };
}
