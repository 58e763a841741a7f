import { SYSTEM_COLUMNS, type TableColumnType } from '@/contract/tables/table-columns';

interface NamedColumn {
  name: string;
  type: TableColumnType;
}
type ColumnTypes = ReadonlyMap<string, TableColumnType>;

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text or a truth value as a number, where it is one. */
function convertToNumber(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return value;
  const number = Number(value);
  return Number.isFinite(number) ? number : value;
}

const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function convertToBoolean(value: unknown): unknown {
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  return Object.hasOwn(BOOLEAN_WORDS, word) ? BOOLEAN_WORDS[word] : value;
}

const convertToText = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const CONVERSIONS: Partial<Record<TableColumnType, (value: unknown) => unknown>> = {
  text: convertToText,
  number: convertToNumber,
  boolean: convertToBoolean,
};

/** A value as one of a type; what cannot be one stays as it is, and is refused with its column. */
function convertCell(type: TableColumnType | undefined, value: unknown): unknown {
  if (value === null || value === undefined || type === undefined) return value;
  return CONVERSIONS[type]?.(value) ?? value;
}

function convertRow(types: ColumnTypes, row: unknown): unknown {
  if (!isFields(row)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, convertCell(types.get(name), value)]));
}

/** Filters are nested no deeper; the table refuses those that are. */
const MAX_DEPTH = 10;

function convertFilter(types: ColumnTypes, filter: unknown, depth = 0): unknown {
  if (!isFields(filter) || depth > MAX_DEPTH) return filter;
  for (const join of ['and', 'or']) {
    const parts = filter[join];
    if (Array.isArray(parts))
      return { ...filter, [join]: parts.map((part: unknown) => convertFilter(types, part, depth + 1)) };
  }
  const { column, operator, value } = filter;
  if (!Object.hasOwn(filter, 'value') || operator === 'is_null') return filter;
  const type = types.get(String(column));
  return {
    ...filter,
    value: Array.isArray(value) ? value.map((one: unknown) => convertCell(type, one)) : convertCell(type, value),
  };
}

interface TableValues {
  key?: unknown;
  row?: unknown;
  rows?: unknown;
  filter?: unknown;
}

/** The values of a config, converted to the types of their columns. */
export function convertTableValues<Config extends TableValues>(
  config: Config,
  columns: readonly NamedColumn[],
): Config {
  const types: ColumnTypes = new Map([
    ...columns.map(({ name, type }): [string, TableColumnType] => [name, type]),
    ...SYSTEM_COLUMNS.map((name): [string, TableColumnType] => [name, name === 'id' ? 'text' : 'timestamp']),
  ]);
  const { key, row, rows, filter } = config;
  return {
    ...config,
    ...(key === undefined ? {} : { key: convertRow(types, key) }),
    ...(row === undefined ? {} : { row: convertRow(types, row) }),
    ...(rows === undefined ? {} : { rows: [rows].flat().map((one: unknown) => convertRow(types, one)) }),
    ...(filter === undefined ? {} : { filter: convertFilter(types, filter) }),
  };
}
