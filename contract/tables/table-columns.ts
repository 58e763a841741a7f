// Constants of tables without their zod schemas, so that the browser need not load zod.

export const COLUMN_TYPES = ['text', 'number', 'boolean', 'timestamp', 'json'] as const;
export type TableColumnType = (typeof COLUMN_TYPES)[number];

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'contains',
  'starts_with',
  'is_null',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

const ORDERED_OPERATORS: FilterOperator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'];

/** Operators that a filter may use on a column, by its type. */
export const OPERATORS_BY_TYPE: Record<TableColumnType, readonly FilterOperator[]> = {
  text: [...ORDERED_OPERATORS, 'contains', 'starts_with'],
  number: ORDERED_OPERATORS,
  timestamp: ORDERED_OPERATORS,
  boolean: ['eq', 'ne', 'in', 'is_null'],
  json: ['is_null'],
};

/** One condition, or several that are joined. */
export type TableRowFilter =
  | { column: string; operator: FilterOperator; value?: unknown }
  | { and: TableRowFilter[] }
  | { or: TableRowFilter[] };

/**
 * A name begins with a letter or `_` and goes on with letters, digits, `_`, spaces and `-`. It has no comma, which
 * separates the columns in `sort`.
 */
export const COLUMN_NAME_PATTERN = /^[\p{L}_](?:[\p{L}\p{N}\p{M}_ -]*[\p{L}\p{N}\p{M}_-])?$/u;

/** Columns that every table has and that the service alone writes. */
export const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'] as const;

export const MAX_TABLE_COLUMNS = 100;
/** A call inserts or lists at most this many rows. */
export const MAX_ROWS_PER_CALL = 1000;
/** A cell has at most this many UTF-16 units: of its text, or of the JSON of its value. */
export const MAX_CELL_CHARACTERS = 100_000;
/** A text in a unique column has at most this many UTF-16 units, because the index of PostgreSQL takes no long keys. */
export const MAX_UNIQUE_CHARACTERS = 500;
/** An imported file has at most this many bytes. */
export const MAX_IMPORT_BYTES = 256 * 1024 * 1024;
/** The response to an import names at most this many refused lines. */
export const MAX_REPORTED_LINES = 1000;
