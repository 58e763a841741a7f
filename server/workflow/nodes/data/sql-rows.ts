import type { FieldIssue } from '@/contract/error-response';
import { createConfigFailure } from '@/server/platform/errors/node-failure';
import type { SqlQuery } from '@/server/network/sql/sql';
import type { SqlDialect } from '@/server/network/sql/statement';

export const SQL_OPERATION_LABELS = {
  statement: 'Run a statement',
  insert: 'Add a row',
  update: 'Change rows',
};
export type SqlOperation = keyof typeof SQL_OPERATION_LABELS;
export type SqlRowOperation = Exclude<SqlOperation, 'statement'>;

export const isSqlRowOperation = (operation: unknown): operation is SqlRowOperation =>
  operation === 'insert' || operation === 'update';

/** Values by column. */
export type SqlRowValues = Readonly<Record<string, unknown>>;

/** A row that is added, or the rows that are changed: those in which the columns of `match` have its values. */
export interface SqlRowChange {
  operation: SqlRowOperation;
  /** Its name, with that of its schema before it if it is not in the schema in use. */
  table: string;
  row: SqlRowValues;
  match: SqlRowValues;
}

/** Neither server permits this character in a name. */
const NUL = '\0';

/** A name in quotes: whatever it is, it stays a name. */
function quoteSqlName(name: string, dialect: SqlDialect, field: string): string {
  if (name === '' || name.includes(NUL)) throw createConfigFailure(field, 'is not the name of a table or column');
  const quote = dialect === 'mysql' ? '`' : '"';
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

function quoteTableName(table: string, dialect: SqlDialect): string {
  const dot = table.indexOf('.');
  const parts = dot === -1 ? [table] : [table.slice(0, dot), table.slice(dot + 1)];
  return parts.map((part) => quoteSqlName(part, dialect, 'table')).join('.');
}

/** The statement of a change. Values are bound; names are quoted. */
export function buildRowQuery({ operation, table, row, match }: SqlRowChange, dialect: SqlDialect): SqlQuery {
  const parameters: Record<string, unknown> = {};
  const bind = (value: unknown): string => {
    const name = `value_${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `:${name}`;
  };
  const columns = Object.keys(row);
  if (columns.length === 0) throw createConfigFailure('row', 'needs a value for a column');
  const target = quoteTableName(table, dialect);
  const name = (column: string, field: string) => quoteSqlName(column, dialect, field);
  if (operation === 'insert') {
    const names = columns.map((column) => name(column, 'row')).join(', ');
    const values = Object.values(row).map(bind).join(', ');
    return { statement: `INSERT INTO ${target} (${names}) VALUES (${values})`, parameters };
  }
  const conditions = Object.entries(match).map(([column, value]) =>
    value === null ? `${name(column, 'match')} IS NULL` : `${name(column, 'match')} = ${bind(value)}`,
  );
  // An expression may have returned nothing: all rows are never meant.
  if (conditions.length === 0) throw createConfigFailure('match', 'needs a value for a column');
  const changes = columns.map((column) => `${name(column, 'row')} = ${bind(row[column])}`).join(', ');
  return { statement: `UPDATE ${target} SET ${changes} WHERE ${conditions.join(' AND ')}`, parameters };
}

const isEmptyRow = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** What a change lacks before it can run. */
export function findMissingRowFields(source: Readonly<Record<string, unknown>>): FieldIssue[] {
  const { operation, table, row, match, statement, statements } = source;
  const lacks = [
    ...(typeof table === 'string' && table !== '' ? [] : ['table']),
    ...(isEmptyRow(row) ? ['row'] : []),
    ...(operation === 'update' && isEmptyRow(match) ? ['match'] : []),
  ];
  return [
    ...lacks.map((field) => ({ field, message: field === 'table' ? 'is required' : 'needs a value for a column' })),
    ...Object.entries({ statement, statements })
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({ field, message: 'has no effect beside this operation: remove it' })),
  ];
}
