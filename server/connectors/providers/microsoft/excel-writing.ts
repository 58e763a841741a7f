import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { columnRowsParameter } from '../../parameters';
import {
  WORKSHEET_COLUMN_FIELDS,
  worksheetHeaderRow,
  worksheetKeyColumn,
  worksheetParameters,
  worksheetRow,
} from './excel-parts';
import { writeWorksheetRows, type WorksheetChange } from './excel-rows';
import { EXCEL_RATE_LIMIT } from './graph-parts';

/** Operations that write one row or many. */
const writingOperations = [
  {
    id: 'worksheets.append_row',
    title: 'Append a row',
    help: 'Writes a row below the last one, by the names of the header. Two at the same time may meet: a table is safe.',
    kind: 'append',
    isList: false,
  },
  {
    id: 'worksheets.append_rows',
    title: 'Append rows',
    help: 'Writes a list of objects below the last row in one call.',
    kind: 'append',
    isList: true,
  },
  {
    id: 'worksheets.update_row',
    title: 'Update a row',
    help: 'Changes the columns that are given, in the row with the same value in the key column.',
    kind: 'update',
    isList: false,
  },
  {
    id: 'worksheets.upsert_row',
    title: 'Append or update a row',
    help: 'Updates the row with the same value in the key column, or appends a new one.',
    kind: 'upsert',
    isList: false,
  },
  {
    id: 'worksheets.upsert_rows',
    title: 'Append or update rows',
    help: 'Updates rows with the same values in the key column, and appends the others, in few calls.',
    kind: 'upsert',
    isList: true,
  },
] as const;

const buildWritingOperation = ({ kind, isList, ...facts }: (typeof writingOperations)[number]): OperationDefinition =>
  defineSteppedOperation({
    limits: EXCEL_RATE_LIMIT,
    ...facts,
    parameters: {
      ...worksheetParameters,
      headerRow: worksheetHeaderRow,
      ...(kind === 'append' ? {} : { key: worksheetKeyColumn }),
      ...(isList
        ? {
            rows: columnRowsParameter('Rows', 'columns', WORKSHEET_COLUMN_FIELDS, 10_000).describe(
              'Objects with names of columns and values',
            ),
          }
        : { row: worksheetRow(kind) }),
    },
    *steps(values) {
      const {
        headerRow = 1,
        key,
        rows,
        row,
        ...target
      } = values as typeof values & {
        key?: string;
        rows?: Record<string, unknown>[];
        row?: Record<string, unknown>;
      };
      const change: WorksheetChange = kind === 'append' ? { kind } : { kind, key: key ?? '' };
      return yield* writeWorksheetRows(target, headerRow, change, rows ?? (row ? [row] : []));
    },
    example: { updatedRows: kind === 'append' ? 0 : 1, appendedRows: kind === 'update' ? 0 : 1 },
  });

export const excelWritingOperations: OperationDefinition[] = writingOperations.map(buildWritingOperation);
