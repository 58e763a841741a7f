// Facts about tables without their schemas, which the browser need not load.

export const COLUMN_TYPES = ['text', 'number', 'boolean', 'timestamp', 'json'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

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

const ORDERED: FilterOperator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'];

/** Operators that a filter may use on a column, by its type. */
export const OPERATORS_OF: Record<ColumnType, readonly FilterOperator[]> = {
  text: [...ORDERED, 'contains', 'starts_with'],
  number: ORDERED,
  timestamp: ORDERED,
  boolean: ['eq', 'ne', 'in', 'is_null'],
  json: ['is_null'],
};

/** One condition, or several that are joined. */
export type RowFilter =
  | { column: string; operator: FilterOperator; value?: unknown }
  | { and: RowFilter[] }
  | { or: RowFilter[] };

/** A letter or `_`, then also digits, spaces and `-`: so names can stand in `sort`, separated by commas. */
export const COLUMN_NAME = /^[\p{L}_](?:[\p{L}\p{N}\p{M}_ -]*[\p{L}\p{N}\p{M}_-])?$/u;

/** Columns that every table has and that the service alone writes. */
export const OWN_COLUMNS = ['id', 'createdAt', 'updatedAt'] as const;

export const MAX_COLUMNS = 100;
/** Rows of one call. */
export const MAX_ROWS = 1000;
/** UTF-16 units of a text, or of the JSON of a value. */
export const MAX_CELL = 100_000;
/** UTF-16 units of a text in a unique column: the index of PostgreSQL takes no long keys. */
export const MAX_UNIQUE_TEXT = 500;
/** Bytes of a file that is imported. */
export const MAX_IMPORT_BYTES = 256 * 1024 * 1024;
/** Refused lines of an import that its answer names. */
export const MAX_FAILED_LINES = 1000;
