import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  columnsParameter,
  countParameter,
  listedLineParameter,
  pairsParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';

export const baserowLimits = 'Those of the server that it runs on; in the cloud ten calls at once.';
export const baserowTable = listedLineParameter('Table', 'tables', [], 30).describe('Id of the table');
const rowId = listedLineParameter('Row', 'rows', ['table'], 30).describe('Id of the row');
const PAGE_SIZE = 100;

export const baserowRowExample = { id: 1, order: '1.00000000000000000000', Name: 'Ada', Active: true };

type Row = Record<string, unknown>;
type Steps<Result> = Generator<ApiRequest, Result, ApiResponse>;

/** The fields of a table by the names that the API has for them, such as `field_12`. */
class TableFields {
  private readonly names: ReadonlyMap<string, string>;
  private readonly keys: ReadonlyMap<string, string>;

  constructor(fields: unknown) {
    const pairs = (Array.isArray(fields) ? (fields as { id: number; name: string }[]) : []).map(
      ({ id, name }) => [`field_${id}`, name] as const,
    );
    this.names = new Map(pairs);
    this.keys = new Map(pairs.map(([key, name]) => [name, key]));
  }

  /** A field that is given by its name, or as the API names it. */
  key(name: string): string {
    return this.keys.get(name) ?? name;
  }

  /** The values of a row as they are sent. */
  writeRow(values: Row): Row {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [this.key(name), value]));
  }

  /** A row by the names of its fields, with those last. */
  readRow(row: unknown): Row {
    const entries = Object.entries(Object(row) as Row);
    const own = entries.filter(([key]) => !this.names.has(key));
    const named = entries.filter(([key]) => this.names.has(key));
    return Object.fromEntries([...own, ...named.map(([key, value]) => [this.names.get(key) ?? key, value] as const)]);
  }
}

function* readFields(table: string): Steps<TableFields> {
  return new TableFields((yield { path: `/database/fields/table/${encodeURIComponent(table)}/` }).body);
}

const rowsPath = (table: string, row?: string) =>
  `/database/rows/table/${encodeURIComponent(table)}/${row === undefined ? '' : `${encodeURIComponent(row)}/`}`;

/** The query of a condition such as `Name__contains`; without an operator the value has to be equal. */
function conditionQuery(fields: TableFields, conditions: Row): Row {
  const entries = Object.entries(conditions).map(([name, value]) => {
    const at = name.lastIndexOf('__');
    const hasOperator = at > 0 && /^\w+$/.test(name.slice(at + 2));
    const [field, operator] = hasOperator ? [name.slice(0, at), name.slice(at + 2)] : [name, 'equal'];
    return [`filter__${fields.key(field)}__${operator}`, value ?? ''];
  });
  return Object.fromEntries(entries) as Row;
}

/** Names of fields, separated by commas, each with a minus for the other direction. */
const orderQuery = (fields: TableFields, order: string): string =>
  order
    .split(',')
    .map((one) => one.trim())
    .map((one) => (one.startsWith('-') ? `-${fields.key(one.slice(1))}` : fields.key(one)))
    .join(',');

/** Operations with rows of Baserow. https://api.baserow.io/api/redoc/ */
export const baserowRowOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'rows.list',
    title: 'List rows',
    help: 'By conditions or words, sorted.',
    limits: baserowLimits,
    parameters: {
      table: baserowTable,
      conditions: pairsParameter('Conditions')
        .optional()
        .describe('A field and its value; with an operator Name__contains, Price__higher_than, …'),
      matchesAny: booleanParameter('Any condition').optional().describe('Default: all of them'),
      search: valueLineParameter('Words', 'search', 500).optional().describe('In any field'),
      order: valueLineParameter('Order', 'query', 1000)
        .optional()
        .describe('Fields, separated by commas; -Price for the highest first'),
      limit: countParameter('Rows', 10_000).optional().describe('At most so many; default: all'),
    },
    example: [baserowRowExample],
    *steps({ table, conditions = {}, matchesAny, search, order, limit = Number.POSITIVE_INFINITY }) {
      const fields = yield* readFields(table);
      const query = {
        ...conditionQuery(fields, conditions),
        filter_type: matchesAny === undefined ? undefined : matchesAny ? 'OR' : 'AND',
        search,
        order_by: order === undefined ? undefined : orderQuery(fields, order),
        size: PAGE_SIZE,
      };
      const rows: Row[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = yield { path: rowsPath(table), query: { ...query, page } };
        const { results, next = null } = Object(body) as { results?: unknown; next?: string | null };
        for (const row of Array.isArray(results) ? results : []) rows.push(fields.readRow(row));
        if (next === null || rows.length >= limit) return Number.isFinite(limit) ? rows.slice(0, limit) : rows;
      }
    },
  }),
  defineSteppedOperation({
    id: 'rows.get',
    title: 'Get a row',
    help: 'By the names of its fields.',
    limits: baserowLimits,
    parameters: { table: baserowTable, row: rowId },
    example: baserowRowExample,
    *steps({ table, row }) {
      const fields = yield* readFields(table);
      return fields.readRow((yield { path: rowsPath(table, row) }).body);
    },
  }),
  defineSteppedOperation({
    id: 'rows.create',
    title: 'Create a row',
    help: 'With values for its fields.',
    limits: baserowLimits,
    parameters: {
      table: baserowTable,
      values: columnsParameter('Values', 'columns', ['table']).describe('By names of fields, or field_12'),
    },
    example: baserowRowExample,
    *steps({ table, values }) {
      const fields = yield* readFields(table);
      const body = { as: 'json', value: fields.writeRow(values) } as const;
      return fields.readRow((yield { method: 'POST', path: rowsPath(table), body }).body);
    },
  }),
  defineSteppedOperation({
    id: 'rows.update',
    title: 'Update a row',
    help: 'Changes the fields that are given.',
    limits: baserowLimits,
    parameters: {
      table: baserowTable,
      row: rowId,
      values: someColumnsParameter('Values', 'columns', ['table']).describe('By names of fields, or field_12'),
    },
    example: baserowRowExample,
    *steps({ table, row, values }) {
      const fields = yield* readFields(table);
      const body = { as: 'json', value: fields.writeRow(values) } as const;
      return fields.readRow((yield { method: 'PATCH', path: rowsPath(table, row), body }).body);
    },
  }),
  {
    id: 'rows.delete',
    title: 'Delete a row',
    help: 'It is in the trash for some days.',
    limits: baserowLimits,
    method: 'DELETE',
    path: '/database/rows/table/{table}/{row}/',
    inPath: { table: baserowTable, row: rowId },
    example: null,
  },
  defineSteppedOperation({
    id: 'rows.move',
    title: 'Move a row',
    help: 'Before another one, or to the end.',
    limits: baserowLimits,
    parameters: {
      table: baserowTable,
      row: rowId,
      before: listedLineParameter('Before', 'rows', ['table'], 30).optional().describe('Id of a row; default: the end'),
    },
    example: baserowRowExample,
    *steps({ table, row, before }) {
      const fields = yield* readFields(table);
      const path = `${rowsPath(table, row)}move/`;
      return fields.readRow((yield { method: 'PATCH', path, query: { before_id: before } }).body);
    },
  }),
];
