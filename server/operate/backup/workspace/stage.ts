import type pg from 'pg';
import { quoteSqlName } from '../catalogue';
import { BackupFault } from '../fault';
import type { TableRecord } from '../records';
import { copyTableRows } from '../restore';
import { EXPORTED_TABLES } from './content';

interface StagedColumn {
  name: string;
  /** The SQL type. */
  type: string;
  isRequired: boolean;
}

/** Why a file is refused that was not made by an export, or was made by a changed one. */
export const refusedExportFault = (why: string) =>
  new BackupFault(`The export is refused: ${why}. Nothing was imported.`);

/** The name of the temporary table that holds the rows of a table before they are checked. */
export const stagedTableName = (table: string): string => quoteSqlName(`import_${table}`);

const STAGED_COLUMNS_QUERY = `
SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "isRequired"
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum`;

/** The rows of a file in temporary tables, which end with the transaction. */
export class ImportStage {
  private readonly received = new Set<string>();

  private constructor(
    readonly client: pg.Client,
    /** The columns of each table that an export has. */
    readonly columns: ReadonlyMap<string, StagedColumn[]>,
  ) {}

  static async open(client: pg.Client): Promise<ImportStage> {
    const { rows } = await client.query<StagedColumn & { table: string }>(STAGED_COLUMNS_QUERY, [
      Object.keys(EXPORTED_TABLES),
    ]);
    const columns = new Map<string, StagedColumn[]>();
    const statements: string[] = [];
    for (const [table, { without = [] }] of Object.entries(EXPORTED_TABLES)) {
      const kept = rows.filter((row) => row.table === table && !without.includes(row.name));
      columns.set(table, kept);
      const names = kept.map(({ name }) => quoteSqlName(name)).join(', ');
      // The temporary tables have no constraints, because the checks say what is wrong.
      statements.push(
        `CREATE TEMPORARY TABLE ${stagedTableName(table)} ON COMMIT DROP AS SELECT ${names} FROM ${quoteSqlName(table)} WITH NO DATA`,
      );
    }
    await client.query(statements.join(';'));
    return new ImportStage(client, columns);
  }

  /** Takes the rows of a table; each table comes once. Returns their number. */
  async receive({ kind, name, columns }: TableRecord, rows: AsyncIterable<Buffer>): Promise<number> {
    const expected = this.columnsOf(name).map((column) => column.name);
    if (columns.length !== expected.length || expected.some((column) => !columns.includes(column)))
      throw refusedExportFault(`the columns of ${name} are not those of this version`);
    if (this.received.has(name)) throw refusedExportFault(`it has the table ${name} twice`);
    this.received.add(name);
    const count = await copyTableRows(this.client, { kind, name: `import_${name}`, columns }, rows);
    if (count > 0) await this.client.query(`ANALYZE ${stagedTableName(name)}`);
    return count;
  }

  columnsOf(table: string): StagedColumn[] {
    const columns = this.columns.get(table);
    if (!columns) throw refusedExportFault(`it has rows of ${table}, which is not exported`);
    return columns;
  }

  column(table: string, name: string): StagedColumn | undefined {
    return this.columns.get(table)?.find((one) => one.name === name);
  }

  /** Throws a BackupFault with the reason if a staged row fulfils the query, which selects the text to name. */
  async refuse(query: string, why: (found: string) => string, values: unknown[] = []): Promise<void> {
    const { rows } = await this.client.query<{ found: string | null }>(`${query} LIMIT 1`, values);
    if (rows[0]) throw refusedExportFault(why(String(rows[0].found)));
  }

  /** Moves all rows of a table to where they belong, with other SQL for some columns. */
  async store(table: string, changed: Record<string, string> = {}): Promise<number> {
    const { numbered } = EXPORTED_TABLES[table] ?? {};
    const names = this.columnsOf(table).flatMap(({ name }) => (name === numbered ? [] : [name]));
    const order = numbered ? ` ORDER BY t.${quoteSqlName(numbered)}` : '';
    const { rowCount } = await this.client.query(
      `INSERT INTO ${quoteSqlName(table)} (${names.map(quoteSqlName).join(', ')})
       SELECT ${names.map((name) => changed[name] ?? `t.${quoteSqlName(name)}`).join(', ')} FROM ${stagedTableName(table)} t${order}`,
    );
    return rowCount ?? 0;
  }
}
