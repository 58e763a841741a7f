import type { TableColumn } from '@/contract/tables/table';
import {
  conflictProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  notFoundProblem,
  ApiProblem,
} from '@/server/platform/errors/problem';
import { readDatabaseFault } from './sql';
import type { DataTableRecord } from './table';

/** A statement on rows may take so long: a filter that no index serves reads the whole table. */
export const TABLE_STATEMENT_MS = 5000;
/** It waits less long for a lock, so that a table that others change is told from a filter that takes too long. */
const TABLE_LOCK_MS = 2000;

/**
 * SQL for the statements that follow in this transaction. With the usual cost of a page the planner rather walks the
 * whole order of a sort than reads the thousands of rows that an index finds. JIT takes longer to compile than a page
 * takes to read.
 */
const PLAN_FOR_ROWS_SQL = `SELECT set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true)`;

/** SQL that limits the statements that follow in this transaction, and plans them for rows. */
export const LIMIT_STATEMENTS_SQL = `${PLAN_FOR_ROWS_SQL}, set_config('statement_timeout', '${TABLE_STATEMENT_MS}', true), set_config('lock_timeout', '${TABLE_LOCK_MS}', true)`;

const uniqueConflict = ({ columns }: Pick<DataTableRecord, 'columns'>, message: string): ApiProblem => {
  const [, id] = /tbl_[\w-]+?_(c\d+)_unique/.exec(message) ?? [];
  const column: TableColumn | undefined = columns.find((one) => one.id === id);
  const name = column?.name ?? 'A unique column';
  return new ApiProblem('CONFLICT', `Another row has this value already: ${name}.`, [
    { field: name, message: 'must be unique: another row has this value' },
  ]);
};

const columnInMessage = ({ columns }: Pick<DataTableRecord, 'columns'>, message: string) =>
  columns.find(({ id }) => new RegExp(`\\b${id}\\b`).test(message))?.name ?? 'A column';

const tooSlowFilter = () =>
  invalidFieldProblem(
    'filter',
    `takes longer than ${TABLE_STATEMENT_MS / 1000} seconds on this table. Narrow it by another condition, or try again in a minute: an index for it is being built`,
  );

/** Turns the error of a statement on a table into a problem that a caller can read; other errors stay as they are. */
export function explainRowError(table: Pick<DataTableRecord, 'columns'>, error: unknown): unknown {
  const fault = readDatabaseFault(error);
  switch (fault?.state) {
    case '23505':
      return uniqueConflict(table, fault.message);
    case '23502':
      return invalidRequestProblem([{ field: columnInMessage(table, fault.message), message: 'is required' }]);
    case '22003':
      return invalidRequestProblem([], 'A number is out of range.');
    case '54000':
      return invalidRequestProblem([], 'A text is too long for a unique column.');
    case '57014':
      return tooSlowFilter();
    case '55P03':
    case '40P01':
      return conflictProblem('The table is being changed. Try again.');
    // A column or the table was removed meanwhile.
    case '42703':
      return conflictProblem('The columns of the table were changed at the same time. Try again.');
    case '42P01':
      return notFoundProblem('The table');
    default:
      return error;
  }
}

/** Runs statements on a table; database errors that the caller caused become problems. */
export async function runOnTable<Result>(
  table: Pick<DataTableRecord, 'columns'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explainRowError(table, error);
  }
}
