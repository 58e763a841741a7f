import { NodeFailure } from '@/server/errors/node-failure';
import type { ApiAnswer, ApiRequest } from '../../operation';
import { at } from '@/server/expressions/dotted-path';
import {
  cellsIn,
  cellsOf,
  columnLetters,
  headerOf,
  newColumns,
  rangeOf,
  rowNumberOf,
  valuesPath,
  type Cells,
} from './sheet-values';

const api = 'sheets';

export const read = (id: string, range: string): ApiRequest => ({
  api,
  path: valuesPath(id, range),
  query: { valueRenderOption: 'UNFORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' },
});

export const write = (id: string, range: string, values: Cells, valueInputOption = 'USER_ENTERED'): ApiRequest => ({
  method: 'PUT',
  api,
  path: valuesPath(id, range),
  query: { valueInputOption },
  body: { as: 'json', value: { values } },
});

export const change = (id: string, requests: object[]): ApiRequest => ({
  method: 'POST',
  api,
  path: `/spreadsheets/${id}:batchUpdate`,
  body: { as: 'json', value: { requests } },
});

type Requests<Result> = Generator<ApiRequest, Result, ApiAnswer>;

export interface Target {
  id: string;
  name: string;
  /** The number of the header, from 1. */
  head: number;
  input: string | undefined;
}

/** Adds columns to the header for fields that it lacks; returns the whole header. */
function* widen({ id, name, head }: Target, header: string[], rows: Record<string, unknown>[]): Requests<string[]> {
  const added = newColumns(header, rows);
  if (added.length === 0) return header;
  const from = `${columnLetters(header.length)}${head}`;
  const to = `${columnLetters(header.length + added.length - 1)}${head}`;
  yield write(id, rangeOf(name, `${from}:${to}`), [added], 'RAW');
  return [...header, ...added];
}

/** Appends rows below a header that is known. */
export function* append(target: Target, known: string[], rows: Record<string, unknown>[]): Requests<unknown> {
  const { id, name, head, input: valueInputOption = 'USER_ENTERED' } = target;
  const header = yield* widen(target, known, rows);
  const last = columnLetters(Math.max(0, header.length - 1));
  const { body } = yield {
    method: 'POST',
    api,
    path: valuesPath(id, rangeOf(name, `A${head}:${last}${head}`), ':append'),
    query: { valueInputOption, insertDataOption: 'INSERT_ROWS' },
    body: { as: 'json', value: { values: rows.map((one) => cellsOf(header, one)) } },
  };
  return at(body, 'updates') ?? body;
}

/** Changes the row that the key identifies; undefined: there is none. */
export function* update(target: Target, keyColumn: string, one: Record<string, unknown>): Requests<unknown> {
  const { id, name, head, input: valueInputOption } = target;
  const cells = cellsIn((yield read(id, rangeOf(name))).body);
  const number = rowNumberOf(cells, head, keyColumn, one);
  const known = headerOf(cells[head - 1]);
  if (number === undefined) return { header: known };
  const header = yield* widen(target, known, [one]);
  const to = columnLetters(Math.max(0, header.length - 1));
  const range = rangeOf(name, `A${number}:${to}${number}`);
  return { body: (yield write(id, range, [cellsOf(header, one)], valueInputOption)).body };
}

export function* headerIn({ id, name, head }: Target): Requests<string[]> {
  return headerOf(cellsIn((yield read(id, rangeOf(name, `${head}:${head}`))).body)[0]);
}

/** The id and the size of a sheet. Throws NodeFailure NOT_FOUND. */
export function* propertiesOf(id: string, name: string): Requests<unknown> {
  const { body } = yield { api, path: `/spreadsheets/${id}`, query: { fields: 'sheets.properties' } };
  const all = at(body, 'sheets');
  const found = Array.isArray(all) ? all.find((one: unknown) => at(one, 'properties.title') === name) : undefined;
  if (found === undefined) throw new NodeFailure('NOT_FOUND', `The spreadsheet has no sheet "${name}".`, false);
  return at(found, 'properties');
}
