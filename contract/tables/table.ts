import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { ENCODINGS } from '../workflows/conversions';
import { COLUMN_NAME, COLUMN_TYPES, MAX_COLUMNS, MAX_ROWS, OWN_COLUMNS } from './table-columns';
import { Timestamp, digits, page, text } from '../text';

const RESERVED = new Set<string>([...OWN_COLUMNS.map((name) => name.toLowerCase()), '__proto__']);

const columnName = text(1, 100)
  .regex(COLUMN_NAME, {
    error: 'must begin with a letter or _ and consist of letters, digits, spaces, _ and -',
  })
  .refine((name) => !RESERVED.has(name.toLowerCase()), { error: 'is a name that every row has already' })
  .meta({ id: 'TableColumnName', description: 'What rows, filters and sorts call a column', example: 'email' });

export const ColumnType = z
  .enum(COLUMN_TYPES)
  .meta({ id: 'TableColumnType', description: 'The type of the values in a column' });

export const TableColumn = z
  .object({
    id: z.string().meta({ description: 'Stays when the column is renamed', example: 'c1' }),
    name: z.string().describe('What rows, filters and sorts call the column'),
    type: ColumnType,
    isRequired: z.boolean().describe('True: every row has a value'),
    isUnique: z.boolean().describe('True: no two rows have the same value'),
  })
  .meta({ id: 'TableColumn', description: 'A field that all rows of a table have' });
export type TableColumn = z.infer<typeof TableColumn>;

const columnFields = {
  name: columnName,
  type: ColumnType,
  isRequired: z.boolean().optional().meta({ description: 'Every row has a value. Default: false' }),
  isUnique: z.boolean().optional().meta({
    description: 'No two rows have the same value; several may have none. Not for `json`. Default: false',
  }),
};

type NamedColumn = { name: string; type: string; isUnique?: boolean | undefined };

/** Names that differ by case only would be mistaken for each other. */
function checkColumns(columns: readonly NamedColumn[], context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  columns.forEach(({ name, type, isUnique }, index) => {
    const issue = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    if (names.has(name.toLowerCase())) issue('name', 'is the name of two columns');
    names.add(name.toLowerCase());
    if (type === 'json' && isUnique) issue('isUnique', 'is not possible for the type json');
  });
}

export const TableColumnCreate = z.strictObject({
  id: z.string().max(20).optional().meta({ description: 'Ignored: columns of a new table get new ids' }),
  ...columnFields,
});
export type TableColumnCreate = z.infer<typeof TableColumnCreate>;

export const TableColumnUpdate = z.strictObject({
  id: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'Of a column that the table has. Absent: the column is found by its name, or is new' }),
  ...columnFields,
});
export type TableColumnUpdate = z.infer<typeof TableColumnUpdate>;

const name = text(1, 200)
  .refine((given) => given.trim() === given, { error: 'must not begin or end with a space' })
  .meta({ example: 'Customers' });

export const TableCreate = z.strictObject({
  name: name.describe('What people call it'),
  columns: z
    .array(TableColumnCreate)
    .max(MAX_COLUMNS)
    .superRefine(checkColumns)
    .meta({
      description: 'In the order in which they are shown',
      example: [
        { name: 'email', type: 'text', isRequired: true, isUnique: true },
        { name: 'amount', type: 'number' },
      ],
    }),
});
export type TableCreate = z.infer<typeof TableCreate>;

export const TableUpdate = z.strictObject({
  name: name.optional().describe('What people call it'),
  columns: z
    .array(TableColumnUpdate)
    .max(MAX_COLUMNS)
    .superRefine(checkColumns)
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
export type TableUpdate = z.infer<typeof TableUpdate>;

export const Table = z
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
export type Table = z.infer<typeof Table>;

export const TablePage = page(Table).meta({ id: 'TablePage' });

/** A row: its own fields, and one for each column. A cell without a value is null. */
export const TableRow = z
  .looseObject({
    id: z.string().describe('Identifies the row in its table, and never changes'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'TableRow', description: 'One field for each column; null where there is no value' });
export type TableRow = z.infer<typeof TableRow>;

const filter = z
  .string()
  .max(16_000)
  .meta({
    description:
      'JSON: `{"column", "operator", "value"}` with `eq`, `ne`, `lt`, `lte`, `gt`, `gte`, `in`, `contains`, `starts_with`, ' +
      '`is_null`, or `{"and": [...]}`, `{"or": [...]}`',
    example: '{"column":"amount","operator":"gte","value":100}',
  });

const sort = z
  .string()
  .max(1000)
  .meta({ description: 'Columns, separated by commas; `-` before one reverses it', example: '-createdAt,email' });

export const RowExportQuery = z.strictObject({ filter: filter.optional(), sort: sort.optional() });

export const RowQuery = RowExportQuery.extend({
  limit: digits.pipe(z.number().int().min(1).max(MAX_ROWS)).default(50).meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_ROWS,
    default: 50,
    description: 'Maximum number of rows in the answer',
  }),
  cursor: z
    .string()
    .max(10_000)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same sort' }),
});

export const RowDeleteQuery = z.strictObject({
  filter: filter.optional().meta({ description: 'As of the list. Required: nothing is deleted without one' }),
});

export const RowPage = z
  .object({
    data: z.array(TableRow).describe('The items'),
    nextCursor: z.string().nullable().meta({ description: 'Null: there are no more rows' }),
  })
  .meta({ id: 'TableRowPage', description: 'One page of the list' });
export type RowPage = z.infer<typeof RowPage>;

const cells = z.looseObject({});

export const RowsInsert = z.strictObject({
  rows: z
    .array(cells)
    .min(1)
    .max(MAX_ROWS)
    .meta({ description: 'The rows, as objects by column', example: [{ email: 'ada@example.com', amount: 12.5 }] }),
});

export const RowsInserted = z
  .object({ data: z.array(TableRow).describe('The items') })
  .meta({ id: 'TableRows', description: 'Rows that were inserted' });

export const RowUpdate = cells.meta({ description: 'The columns to change', example: { amount: 13 } });

export const ImportQuery = z.strictObject({
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
  headerRow: digits.pipe(z.number().int().min(1).max(1_000_000)).optional().meta({
    type: 'integer',
    description: 'The row that names the columns, from 1. Default: the first that is not empty',
  }),
  encoding: z.enum(ENCODINGS).optional().meta({
    description: 'Default: what a byte order mark says, else UTF-8. Bytes that cannot be read refuse the file',
  }),
});

export type ImportQuery = z.infer<typeof ImportQuery>;

export const ImportResult = z
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
export type ImportResult = z.infer<typeof ImportResult>;
