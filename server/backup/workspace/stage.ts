import type pg from 'pg';
import { quoted } from '../catalogue';
import { BackupFault } from '../fault';
import type { Table } from '../records';
import { copyRows } from '../restore';
import { EXPORTED } from './content';

interface Column {
  name: string;
  /** In SQL. */
  type: string;
  isRequired: boolean;
}

/** Why a file is refused that was not made by an export, or was made by a changed one. */
export const refused = (why: string) => new BackupFault(`The export is refused: ${why}. Nothing was imported.`);

/** The name of the temporary table that holds the rows of a table before they are checked. */
export const staged = (table: string): string => quoted(`import_${table}`);

const COLUMNS = `
SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS "isRequired"
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
ORDER BY a.attnum`;

/** The rows of a file in temporary tables, which end with the transaction. */
export class Stage {
  private readonly received = new Set<string>();

  private constructor(
    readonly client: pg.Client,
    /** Of each table, those that an export has. */
    readonly columns: ReadonlyMap<string, Column[]>,
  ) {}

  static async open(client: pg.Client): Promise<Stage> {
    const { rows } = await client.query<Column & { table: string }>(COLUMNS, [Object.keys(EXPORTED)]);
    const columns = new Map<string, Column[]>();
    const statements: string[] = [];
    for (const [table, { without = [] }] of Object.entries(EXPORTED)) {
      const kept = rows.filter((row) => row.table === table && !without.includes(row.name));
      columns.set(table, kept);
      const names = kept.map(({ name }) => quoted(name)).join(', ');
      // Without constraints: the checks name what is wrong.
      statements.push(
        `CREATE TEMPORARY TABLE ${staged(table)} ON COMMIT DROP AS SELECT ${names} FROM ${quoted(table)} WITH NO DATA`,
      );
    }
    await client.query(statements.join(';'));
    return new Stage(client, columns);
  }

  /** Takes the rows of a table; each table comes once. Returns their number. */
  async receive({ kind, name, columns }: Table, rows: AsyncIterable<Buffer>): Promise<number> {
    const expected = this.columnsOf(name).map((column) => column.name);
    if (columns.length !== expected.length || expected.some((column) => !columns.includes(column)))
      throw refused(`the columns of ${name} are not those of this version`);
    if (this.received.has(name)) throw refused(`it has the table ${name} twice`);
    this.received.add(name);
    const count = await copyRows(this.client, { kind, name: `import_${name}`, columns }, rows);
    if (count > 0) await this.client.query(`ANALYZE ${staged(name)}`);
    return count;
  }

  columnsOf(table: string): Column[] {
    const columns = this.columns.get(table);
    if (!columns) throw refused(`it has rows of ${table}, which is not exported`);
    return columns;
  }

  column(table: string, name: string): Column | undefined {
    return this.columns.get(table)?.find((one) => one.name === name);
  }

  /** Throws a BackupFault with the reason if a staged row fulfils the query, which selects the text to name. */
  async refuse(query: string, why: (found: string) => string, values: unknown[] = []): Promise<void> {
    const { rows } = await this.client.query<{ found: string | null }>(`${query} LIMIT 1`, values);
    if (rows[0]) throw refused(why(String(rows[0].found)));
  }

  /** Moves all rows of a table to where they belong, with other SQL for some columns. */
  async store(table: string, changed: Record<string, string> = {}): Promise<number> {
    const { numbered } = EXPORTED[table] ?? {};
    const names = this.columnsOf(table).flatMap(({ name }) => (name === numbered ? [] : [name]));
    const order = numbered ? ` ORDER BY t.${quoted(numbered)}` : '';
    const { rowCount } = await this.client.query(
      `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')})
       SELECT ${names.map((name) => changed[name] ?? `t.${quoted(name)}`).join(', ')} FROM ${staged(table)} t${order}`,
    );
    return rowCount ?? 0;
  }
}
