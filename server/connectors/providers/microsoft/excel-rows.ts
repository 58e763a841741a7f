import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequest, ApiResponse } from '../../operation';
import {
  columnLetters,
  indexRowNumbers,
  missingColumns,
  objectToCells,
  sheetColumnNames,
  type SheetCells,
} from '../google/sheet-values';
import { readWorksheetCells, writeWorksheetRange, type WorksheetTarget } from './excel-parts';

/** What happens to a row: it is appended, changes the row with its key, or the one or the other. */
export type WorksheetChange = { kind: 'append' } | { kind: 'update' | 'upsert'; key: string };

export interface WorksheetChangeResult {
  updatedRows: number;
  appendedRows: number;
}

interface PlannedChange {
  /** Rows by their numbers. */
  changed: Map<number, Record<string, unknown>>;
  added: Record<string, unknown>[];
}

/** Sorts rows by whether they exist. Throws NodeFailure CONFIG or NOT_FOUND. */
function planRows(
  cells: SheetCells,
  head: number,
  change: WorksheetChange,
  rows: Record<string, unknown>[],
): PlannedChange {
  if (change.kind === 'append') return { changed: new Map(), added: rows };
  const findNumber = indexRowNumbers(cells, head, change.key);
  const changed = new Map<number, Record<string, unknown>>();
  const added = new Map<string, Record<string, unknown>>();
  for (const one of rows) {
    const [number, key] = [findNumber(one), String(one[change.key])];
    if (number !== undefined) changed.set(number, { ...changed.get(number), ...one });
    else if (change.kind === 'upsert') added.set(key, { ...added.get(key), ...one });
    else throw new NodeFailure('NOT_FOUND', `No row has "${key}" in the column "${change.key}".`, false);
  }
  return { changed, added: [...added.values()] };
}

/**
 * Writes rows by the names of the header: one reading and at most three writing calls. Null leaves a cell as it is, so
 * that one call writes all rows between the first and the last that change.
 */
export function* writeWorksheetRows(
  target: WorksheetTarget,
  head: number,
  change: WorksheetChange,
  rows: Record<string, unknown>[],
): Generator<ApiRequest, WorksheetChangeResult, ApiResponse> {
  if (rows.length === 0) return { updatedRows: 0, appendedRows: 0 };
  const cells = yield* readWorksheetCells(target);
  const { changed, added } = planRows(cells, head, change, rows);
  const known = sheetColumnNames(cells[head - 1]);
  const missing = missingColumns(known, rows);
  const header = [...known, ...missing];
  const last = columnLetters(Math.max(0, header.length - 1));
  if (missing.length > 0)
    yield writeWorksheetRange(target, `${columnLetters(known.length)}${head}:${last}${head}`, [missing]);
  if (changed.size > 0) {
    const numbers = [...changed.keys()].toSorted((one, other) => one - other);
    const [from = 0, to = from] = [numbers[0], numbers.at(-1)];
    if (to - from >= MAX_WRITTEN_ROWS) {
      const message = `The rows ${from} and ${to} are too far apart to be written together: write fewer at once.`;
      throw new NodeFailure('TOO_LARGE', message, false);
    }
    const block = Array.from({ length: to - from + 1 }, (_, index) =>
      objectToCells(header, changed.get(from + index) ?? {}),
    );
    yield writeWorksheetRange(target, `A${from}:${last}${to}`, block);
  }
  if (added.length > 0) {
    const from = Math.max(head, cells.length) + 1;
    const block = added.map((one) => objectToCells(header, one));
    yield writeWorksheetRange(target, `A${from}:${last}${from + added.length - 1}`, block);
  }
  return { updatedRows: changed.size, appendedRows: added.length };
}

/** The rows that one call writes, so that its body stays small. */
const MAX_WRITTEN_ROWS = 20_000;
