import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { TEXT_ENCODINGS } from '../workflows/conversions';
import {
  COLUMN_NAME_PATTERN,
  COLUMN_TYPES,
  MAX_TABLE_COLUMNS,
  MAX_ROWS_PER_CALL,
  SYSTEM_COLUMNS,
} from './table-columns';
import { NamedListSortField } from '../list-sort';
import { PaginationQuery, Timestamp, queryInteger, pageSchema, boundedText } from '../text';

const RESERVED_COLUMN_NAMES = new Set<string>([...SYSTEM_COLUMNS.map((name) => name.toLowerCase()), '__proto__']);

const tableColumnName = boundedText(1, 100)
  .regex(COLUMN_NAME_PATTERN, {
    error: 'must begin with a letter or _ and consist of letters, digits, spaces, _ and -',
  })
  .refine((name) => !RESERVED_COLUMN_NAMES.has(name.toLowerCase()), { error: 'is a name that every row has already' })
  .meta({ id: 'TableColumnName', description: 'What rows, filters and sorts call a column', example: 'email' });

export const TableColumnTypeSchema = z
  .enum(COLUMN_TYPES)
  .meta({ id: 'TableColumnType', description: 'The type of the values in a column' });

export const TableColumn = z
  .object({
    id: z.string().meta({ description: 'Stays when the column is renamed', example: 'c1' }),
    name: z.string().describe('What rows, filters and sorts call the column'),
    type: TableColumnTypeSchema,
    isRequired: z.boolean().describe('True: every row has a value'),
    isUnique: z.boolean().describe('True: no two rows have the same value'),
  })
  .meta({ id: 'TableColumn', description: 'A field that all rows of a table have' });
export type TableColumn = z.infer<typeof TableColumn>;

const tableColumnFields = {
  name: tableColumnName,
  type: TableColumnTypeSchema,
  isRequired: z.boolean().optional().meta({ description: 'Every row has a value. Default: false' }),
  isUnique: z.boolean().optional().meta({
    description: 'No two rows have the same value; several may have none. Not for `json`. Default: false',
  }),
};

type NamedColumn = { name: string; type: string; isUnique?: boolean | undefined };

/** Names that differ by case only would be mistaken for each other. */
function refineTableColumns(columns: readonly NamedColumn[], context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  columns.forEach(({ name, type, isUnique }, index) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    if (names.has(name.toLowerCase())) issue('name', 'is the name of two columns');
    names.add(name.toLowerCase());
    if (type === 'json' && isUnique) issue('isUnique', 'is not possible for the type json');
  });
}

export const CreateTableColumn = z.strictObject({
  id: z.string().max(20).optional().meta({ description: 'Ignored: columns of a new table get new ids' }),
  ...tableColumnFields,
});
export type CreateTableColumn = z.infer<typeof CreateTableColumn>;

export const UpdateTableColumn = z.strictObject({
  id: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'Of a column that the table has. Absent: the column is found by its name, or is new' }),
  ...tableColumnFields,
});
export type UpdateTableColumn = z.infer<typeof UpdateTableColumn>;

const validTableName = boundedText(1, 200)
  .refine((given) => given.trim() === given, { error: 'must not begin or end with a space' })
  .meta({ example: 'Customers' });

export const CreateTableRequest = z.strictObject({
  name: validTableName.describe('What people call it'),
  columns: z
    .array(CreateTableColumn)
    .max(MAX_TABLE_COLUMNS)
    .superRefine(refineTableColumns)
    .meta({
      description: 'In the order in which they are shown',
      example: [
        { name: 'email', type: 'text', isRequired: true, isUnique: true },
        { name: 'amount', type: 'number' },
      ],
    }),
});
export type CreateTableRequest = z.infer<typeof CreateTableRequest>;

export const UpdateTableRequest = z.strictObject({
  name: validTableName.optional().describe('What people call it'),
  columns: z
    .array(UpdateTableColumn)
    .max(MAX_TABLE_COLUMNS)
    .superRefine(refineTableColumns)
    .optional()
    .meta({
      description: 'All columns from now on. One that is left out is removed with its values. Types do not change',
      example: [
        { name: 'email', type: 'text', isRequired: true, isUnique: true },
        { name: 'amount', type: 'number' },
        { name: 'note', type: 'text' },
      ],
    }),
});
export type UpdateTableRequest = z.infer<typeof UpdateTableRequest>;

export const TableResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    columns: z.array(TableColumn).describe('In the order in which they are shown'),
    rows: z.number().int().meta({ description: 'Number of rows' }),
    createdAt: CreatedAt,
    updatedAt: Timestamp.meta({ description: 'Of the name and the columns, not of the rows' }),
    createdBy: CreatedBy,
  })
  .meta({ id: 'Table', description: 'A table of the workspace, without its rows' });
export type TableResponse = z.infer<typeof TableResponse>;

export const ListTablesQuery = PaginationQuery.extend({ sort: NamedListSortField });

export const ListTablesResponse = pageSchema(TableResponse).meta({ id: 'TablePage' });

/** A row: its own fields, and one for each column. A cell without a value is null. */
export const StoredTableRow = z
  .looseObject({
    id: z.string().describe('Identifies the row in its table, and never changes'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'TableRow', description: 'One field for each column; null where there is no value' });
export type StoredTableRow = z.infer<typeof StoredTableRow>;

const rowFilterText = z
  .string()
  .max(16_000)
  .meta({
    description:
      'JSON: `{"column", "operator", "value"}` with `eq`, `ne`, `lt`, `lte`, `gt`, `gte`, `in`, `contains`, `starts_with`, ' +
      '`is_null`, or `{"and": [...]}`, `{"or": [...]}`',
    example: '{"column":"amount","operator":"gte","value":100}',
  });

const rowSortText = z
  .string()
  .max(1000)
  .meta({ description: 'Columns, separated by commas; `-` before one reverses it', example: '-createdAt,email' });

export const ExportRowsQuery = z.strictObject({ filter: rowFilterText.optional(), sort: rowSortText.optional() });

export const ListRowsQuery = ExportRowsQuery.extend({
  limit: queryInteger.pipe(z.number().int().min(1).max(MAX_ROWS_PER_CALL)).default(50).meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_ROWS_PER_CALL,
    default: 50,
    description: 'Maximum number of rows in the answer',
  }),
  cursor: z
    .string()
    .max(10_000)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same sort' }),
});

export const DeleteRowsQuery = z.strictObject({
  filter: rowFilterText.optional().meta({ description: 'As of the list. Required: nothing is deleted without one' }),
});

export const ListRowsResponse = z
  .object({
    data: z.array(StoredTableRow).describe('The items'),
    nextCursor: z.string().nullable().meta({ description: 'Null: there are no more rows' }),
  })
  .meta({ id: 'TableRowPage', description: 'One page of the list' });
export type ListRowsResponse = z.infer<typeof ListRowsResponse>;

const rowCells = z.looseObject({});

export const InsertRowsRequest = z.strictObject({
  rows: z
    .array(rowCells)
    .min(1)
    .max(MAX_ROWS_PER_CALL)
    .meta({ description: 'The rows, as objects by column', example: [{ email: 'ada@example.com', amount: 12.5 }] }),
});

export const InsertRowsResponse = z
  .object({ data: z.array(StoredTableRow).describe('The items') })
  .meta({ id: 'TableRows', description: 'Rows that were inserted' });

export const UpdateRowRequest = rowCells.meta({ description: 'The columns to change', example: { amount: 13 } });

export const ImportRowsQuery = z.strictObject({
  onError: z
    .enum(['abort', 'skip'])
    .default('abort')
    .meta({ description: 'abort: a line that does not fit leaves the table as it was; skip: the others are inserted' }),
  delimiter: z
    .string()
    .min(1)
    .max(10)
    .default('auto')
    .meta({ description: 'auto finds the comma, semicolon, tab or vertical bar; tab is a tab' }),
  headerRow: queryInteger.pipe(z.number().int().min(1).max(1_000_000)).optional().meta({
    type: 'integer',
    description: 'The row that names the columns, from 1. Default: the first that is not empty',
  }),
  encoding: z.enum(TEXT_ENCODINGS).optional().meta({
    description: 'Default: what a byte order mark says, else UTF-8. Bytes that cannot be read refuse the file',
  }),
});

export type ImportRowsQuery = z.infer<typeof ImportRowsQuery>;

export const ImportRowsResult = z
  .object({
    inserted: z.number().int().describe('The number of inserted rows'),
    failed: z
      .array(
        z.object({
          line: z.number().int().describe('The number of the line, from 1'),
          message: z.string().describe('Why the line was refused'),
        }),
      )
      .meta({ description: 'Lines that do not fit, at most 1,000. The first line of the file is 1' }),
  })
  .meta({ id: 'TableImportResult', description: 'The result of importing CSV' });
export type ImportRowsResult = z.infer<typeof ImportRowsResult>;
