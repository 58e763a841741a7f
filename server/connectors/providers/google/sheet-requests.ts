import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiResponse, ApiRequest } from '../../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  readSheetCells,
  objectToCells,
  columnLetters,
  sheetColumnNames,
  missingColumns,
  sheetRange,
  indexRowNumbers,
  sheetValuesPath,
  type SheetCells,
} from './sheet-values';

const SHEETS_API = 'sheets';

export const readRangeRequest = (id: string, range: string): ApiRequest => ({
  api: SHEETS_API,
  path: sheetValuesPath(id, range),
  query: { valueRenderOption: 'UNFORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' },
});

export const writeRangeRequest = (
  id: string,
  range: string,
  values: SheetCells,
  valueInputOption = 'USER_ENTERED',
): ApiRequest => ({
  method: 'PUT',
  api: SHEETS_API,
  path: sheetValuesPath(id, range),
  query: { valueInputOption },
  body: { as: 'json', value: { values } },
});

export const batchUpdateSheet = (id: string, requests: object[]): ApiRequest => ({
  method: 'POST',
  api: SHEETS_API,
  path: `/spreadsheets/${id}:batchUpdate`,
  body: { as: 'json', value: { requests } },
});

type SheetRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

export interface SheetTarget {
  id: string;
  name: string;
  /** The number of the header row, from 1. */
  head: number;
  input: string | undefined;
}

/** Adds columns to the header for fields that it lacks; returns the whole header. */
function* addMissingColumns(
  { id, name, head }: SheetTarget,
  header: string[],
  rows: Record<string, unknown>[],
): SheetRequests<string[]> {
  const added = missingColumns(header, rows);
  if (added.length === 0) return header;
  const from = `${columnLetters(header.length)}${head}`;
  const to = `${columnLetters(header.length + added.length - 1)}${head}`;
  yield writeRangeRequest(id, sheetRange(name, `${from}:${to}`), [added], 'RAW');
  return [...header, ...added];
}

/** Appends rows below a header that is known. */
export function* appendRowsToSheet(
  target: SheetTarget,
  known: string[],
  rows: Record<string, unknown>[],
): SheetRequests<unknown> {
  const { id, name, head, input: valueInputOption = 'USER_ENTERED' } = target;
  const header = yield* addMissingColumns(target, known, rows);
  const last = columnLetters(Math.max(0, header.length - 1));
  const { body } = yield {
    method: 'POST',
    api: SHEETS_API,
    path: sheetValuesPath(id, sheetRange(name, `A${head}:${last}${head}`), ':append'),
    query: { valueInputOption, insertDataOption: 'INSERT_ROWS' },
    body: { as: 'json', value: { values: rows.map((one) => objectToCells(header, one)) } },
  };
  return getAtPath(body, 'updates') ?? body;
}

/** Changes the row that the key identifies; undefined: there is none. */
export function* updateSheetRow(
  target: SheetTarget,
  keyColumn: string,
  one: Record<string, unknown>,
): SheetRequests<unknown> {
  const { id, name, head, input: valueInputOption } = target;
  const cells = readSheetCells((yield readRangeRequest(id, sheetRange(name))).body);
  const number = indexRowNumbers(cells, head, keyColumn)(one);
  const known = sheetColumnNames(cells[head - 1]);
  if (number === undefined) return { header: known };
  const header = yield* addMissingColumns(target, known, [one]);
  const to = columnLetters(Math.max(0, header.length - 1));
  const range = sheetRange(name, `A${number}:${to}${number}`);
  return { body: (yield writeRangeRequest(id, range, [objectToCells(header, one)], valueInputOption)).body };
}

/**
 * Changes the rows whose key exists, and appends the others: one reading and at most three writing calls for any number
 * of rows. Of rows with the same key the fields of the later ones count.
 */
export function* upsertSheetRows(
  target: SheetTarget,
  keyColumn: string,
  rows: Record<string, unknown>[],
): SheetRequests<{ updatedRows: number; appendedRows: number }> {
  const { id, name, head, input: valueInputOption = 'USER_ENTERED' } = target;
  const cells = readSheetCells((yield readRangeRequest(id, sheetRange(name))).body);
  const findNumber = indexRowNumbers(cells, head, keyColumn);
  const changed = new Map<number, Record<string, unknown>>();
  const added = new Map<string, Record<string, unknown>>();
  for (const one of rows) {
    const number = findNumber(one);
    if (number === undefined) {
      const key = String(one[keyColumn]);
      added.set(key, { ...added.get(key), ...one });
    } else changed.set(number, { ...changed.get(number), ...one });
  }
  const header = yield* addMissingColumns(target, sheetColumnNames(cells[head - 1]), rows);
  const to = columnLetters(Math.max(0, header.length - 1));
  if (changed.size > 0) {
    const data = [...changed].map(([number, one]) => ({
      range: sheetRange(name, `A${number}:${to}${number}`),
      values: [objectToCells(header, one)],
    }));
    yield {
      method: 'POST',
      api: SHEETS_API,
      path: `/spreadsheets/${id}/values:batchUpdate`,
      body: { as: 'json', value: { valueInputOption, data } },
    };
  }
  if (added.size > 0) yield* appendRowsToSheet(target, header, [...added.values()]);
  return { updatedRows: changed.size, appendedRows: added.size };
}

export function* readSheetHeader({ id, name, head }: SheetTarget): SheetRequests<string[]> {
  return sheetColumnNames(readSheetCells((yield readRangeRequest(id, sheetRange(name, `${head}:${head}`))).body)[0]);
}

/** A sheet by the number that its address has, such as gid=0. */
const SHEET_NUMBER_PATTERN = /^(?:gid=)+(\d+)$/;

function* readSheets(id: string): SheetRequests<unknown[]> {
  const { body } = yield { api: SHEETS_API, path: `/spreadsheets/${id}`, query: { fields: 'sheets.properties' } };
  const all = getAtPath(body, 'sheets');
  return Array.isArray(all) ? all.map((one: unknown) => getAtPath(one, 'properties')) : [];
}

/** The id and the size of a sheet. Throws NodeFailure NOT_FOUND. */
export function* readSheetProperties(id: string, name: string): SheetRequests<unknown> {
  const found = (yield* readSheets(id)).find((one) => getAtPath(one, 'title') === name);
  if (found === undefined) throw new NodeFailure('NOT_FOUND', `The spreadsheet has no sheet "${name}".`, false);
  return found;
}

/** The name of a sheet that may be given by its number. Throws NodeFailure NOT_FOUND. */
export function* findSheetName(id: string, given: string): SheetRequests<string> {
  const [, number] = SHEET_NUMBER_PATTERN.exec(given) ?? [];
  if (number === undefined) return given;
  const found = (yield* readSheets(id)).find((one) => getAtPath(one, 'sheetId') === Number(number));
  const title = getAtPath(found, 'title');
  if (typeof title === 'string') return title;
  throw new NodeFailure('NOT_FOUND', `The spreadsheet has no sheet with the number ${number}.`, false);
}
