import {
  choiceParameter,
  columnRowsParameter,
  columnsParameter,
  countParameter,
  listedLineParameter,
  someColumnsParameter,
} from '../../parameters';
import { defineSteppedOperation, type SteppedOperation } from '../../operation';
import type { ParameterShape } from '../../parameters';
import { driveIdParameter, extractDriveId } from './ids';
import { findSheetName } from './sheet-requests';
import { ROW_NUMBER_FIELD } from './sheet-values';

// https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values
export const SPREADSHEET_API = 'sheets';
export const spreadsheetIdParameter = driveIdParameter('Spreadsheet', 'spreadsheets');
export const sheetNameParameter = listedLineParameter('Sheet', 'sheets', ['spreadsheet']).describe(
  'Name of the sheet in the spreadsheet, e.g. Sheet1, or gid= and the number in its address',
);
export const headerRowParameter = countParameter('Header row', 1000)
  .optional()
  .describe('Number of the row with the names of the columns; default 1');
export const valueInputParameter = choiceParameter('Values', ['USER_ENTERED', 'RAW'])
  .optional()
  .describe('USER_ENTERED (default): as if typed, with formulas and dates. RAW: unchanged');
/** The fields on which the columns of a sheet depend. */
export const SHEET_COLUMN_FIELDS = ['spreadsheet', 'sheet', 'headerRow?'];
const SHEET_ROW_HINT = 'Name of a column and its value; columns that are missing are added';
export const sheetRowParameter = columnsParameter('Row', 'columns', SHEET_COLUMN_FIELDS).describe(SHEET_ROW_HINT);
export const changedSheetRowParameter = someColumnsParameter('Row', 'columns', SHEET_COLUMN_FIELDS).describe(
  SHEET_ROW_HINT,
);
export const sheetRowsParameter = columnRowsParameter('Rows', 'columns', SHEET_COLUMN_FIELDS, 10_000).describe(
  'Objects with names of columns and values',
);
export const keyColumnParameter = listedLineParameter('Key column', 'columns', SHEET_COLUMN_FIELDS).describe(
  `The column whose value identifies the row; ${ROW_NUMBER_FIELD}: its number`,
);

// https://developers.google.com/workspace/sheets/api/limits
export const sheetsRateLimit = '300 reads and 300 writes a minute for a project, 60 of each for a user.';
export const sheetRowsExample = [{ [ROW_NUMBER_FIELD]: 2, Name: 'Ada', Email: 'ada@example.com' }];

export const sheetParameters = { spreadsheet: spreadsheetIdParameter, sheet: sheetNameParameter };
export const sheetWriteParameters = { ...sheetParameters, headerRow: headerRowParameter, input: valueInputParameter };
/** A part of the answer to a change. */
export const changedCellsExample = {
  spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
  updatedRange: "'Sheet1'!A2:B3",
  updatedRows: 2,
  updatedCells: 4,
};

/** An operation on a sheet, which may be given by its number. */
export const defineSheetOperation = <Shape extends ParameterShape>(
  operation: Parameters<typeof defineSteppedOperation<Shape>>[0],
): SteppedOperation => {
  const { steps, ...rest } = defineSteppedOperation(operation);
  return {
    ...rest,
    *steps(values) {
      const name = yield* findSheetName(extractDriveId(String(values['spreadsheet'])), String(values['sheet']));
      return yield* steps({ ...values, sheet: name });
    },
  };
};
