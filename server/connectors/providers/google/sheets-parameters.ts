import { choiceParameter, countParameter, lineParameter, pairsParameter } from '../../parameters';
import { driveIdParameter } from './ids';
import { ROW_NUMBER_FIELD } from './sheet-values';

// https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values
export const SPREADSHEET_API = 'sheets';
export const spreadsheetIdParameter = driveIdParameter('Spreadsheet');
export const sheetNameParameter = lineParameter('Sheet').describe('Name of the sheet in the spreadsheet, e.g. Sheet1');
export const headerRowParameter = countParameter('Header row', 1000)
  .optional()
  .describe('Number of the row with the names of the columns; default 1');
export const valueInputParameter = choiceParameter('Values', ['USER_ENTERED', 'RAW'])
  .optional()
  .describe('USER_ENTERED (default): as if typed, with formulas and dates. RAW: unchanged');
export const sheetRowParameter = pairsParameter('Row').describe(
  'Name of a column and its value; columns that are missing are added',
);
export const keyColumnParameter = lineParameter('Key column').describe(
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
