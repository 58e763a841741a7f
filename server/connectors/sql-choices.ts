import type { ColumnValueType, FieldChoice } from '@/contract/choices';
import type { ChoiceCredential } from './calls/choice-credential';
import { runSqlQueries } from '@/server/network/sql/sql';

const SQL_SOURCE_TIMEOUT_MS = 10_000;

/** Statements that read the catalogue of a database. Tables of the schema in use come first, by their names alone. */
interface SqlCatalogue {
  tables: string;
  columns: string;
}

const CATALOGUES: Readonly<Record<'postgres' | 'mysql', SqlCatalogue>> = {
  postgres: {
    tables: `SELECT CASE WHEN table_schema = current_schema() THEN table_name::text
                    ELSE table_schema || '.' || table_name END AS name,
                    table_type AS kind
             FROM information_schema.tables
             WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
               AND strpos(lower(table_schema || '.' || table_name), lower(:search)) > 0
             ORDER BY table_schema <> current_schema(), table_schema, table_name LIMIT 10000`,
    columns: `SELECT column_name::text AS name, data_type::text AS type, NULL AS members,
                     is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS required
              FROM information_schema.columns
              WHERE is_generated = 'NEVER' AND identity_generation IS DISTINCT FROM 'ALWAYS'
                AND (table_schema || '.' || table_name = :table
                     OR (table_schema = current_schema() AND table_name = :table))
              ORDER BY ordinal_position LIMIT 2000`,
  },
  mysql: {
    tables: `SELECT table_name AS name, table_type AS kind
             FROM information_schema.tables
             WHERE table_schema = DATABASE() AND LOCATE(LOWER(:search), LOWER(table_name)) > 0
             ORDER BY table_name LIMIT 10000`,
    columns: `SELECT column_name AS name, data_type AS type, column_type AS members,
                     is_nullable = 'NO' AND column_default IS NULL AND extra NOT LIKE '%auto_increment%' AS required
              FROM information_schema.columns
              WHERE table_schema = DATABASE() AND table_name = :table
                AND extra NOT LIKE '%STORED GENERATED%' AND extra NOT LIKE '%VIRTUAL GENERATED%'
              ORDER BY ordinal_position LIMIT 2000`,
  },
};

async function queryCatalogue(
  { credential: { credential }, secrets, signal }: ChoiceCredential,
  statementName: keyof SqlCatalogue,
  parameters: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const catalogue = CATALOGUES[credential.type === 'mysql' ? 'mysql' : 'postgres'];
  // A search for nothing finds every table: both functions find the empty text.
  const [rows] = await runSqlQueries(credential, {
    queries: [{ statement: catalogue[statementName], parameters }],
    mode: 'rows',
    isTransaction: true,
    timeoutMs: SQL_SOURCE_TIMEOUT_MS,
    signal,
    redact: (text) => secrets.text(text),
    context: { reserve: async () => undefined, parseLarge: async (text) => text },
  });
  return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
}

/** The tables and views of a database. Those of another schema than the one in use have its name before theirs. */
export async function listSqlTables(
  opened: ChoiceCredential,
  _values: Readonly<Record<string, string>>,
  search: string,
): Promise<FieldChoice[]> {
  const rows = await queryCatalogue(opened, 'tables', { search });
  return rows.map(({ name, kind }) => ({
    value: String(name),
    label: String(name),
    ...(kind === 'VIEW' ? { hint: 'view' } : {}),
  }));
}

const COLUMN_TYPE_PATTERNS: readonly (readonly [RegExp, ColumnValueType])[] = [
  [/^(?:tinyint\(1\)|bool)/i, 'boolean'],
  [/^(?:tinyint|smallint|mediumint|int|bigint|integer|numeric|decimal|real|double|float)/i, 'number'],
  [/^date$/i, 'date'],
  [/^(?:timestamp|datetime)/i, 'timestamp'],
  [/^(?:json|array)/i, 'json'],
];

/** The members of `enum('a','b')`, in which a quote is written twice. */
const readEnumMembers = (type: string): string[] =>
  /^enum\(/i.test(type)
    ? [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) => member.replaceAll("''", "'"))
    : [];

/** The columns of a table that a new row may have. */
export async function listSqlColumns(
  opened: ChoiceCredential,
  { table = '' }: Readonly<Record<string, string>>,
): Promise<FieldChoice[]> {
  const rows = await queryCatalogue(opened, 'columns', { table });
  return rows.map(({ name, type, members, required }): FieldChoice => {
    const declared = typeof members === 'string' && members !== '' ? members : String(type);
    const options = readEnumMembers(declared);
    const known = COLUMN_TYPE_PATTERNS.find(([pattern]) => pattern.test(declared));
    return {
      value: String(name),
      label: String(name),
      hint: declared,
      type: options.length > 0 ? 'options' : (known?.[1] ?? 'text'),
      isRequired: required === true || required === 1,
      ...(options.length > 0 ? { options: options.map((value) => ({ value, label: value })) } : {}),
    };
  });
}
