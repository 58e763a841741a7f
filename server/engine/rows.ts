import type { LogLevel } from '@/contract/execution';
import type { NodeState } from './state';

export interface LogLine {
  path: string | null;
  level: LogLevel;
  message: string;
  timestamp: Date;
}

/** A node's state to be written. */
export interface Row {
  state: NodeState;
  /** Its output. */
  json: string | null;
  /** What it holds; null: as before. */
  heldJson: string | null;
}

/** What one step of one run adds to it. */
export interface News {
  executionId: string;
  nodes: Row[];
  logs: LogLine[];
}

/** A column that a statement is given as an array, and the type of its elements. */
export type Columns = Record<string, 'text' | 'int' | 'bool' | 'json' | 'timestamptz'>;

/** These columns as a table, from parameter `first` on. */
export function given(columns: Columns, first: number, alias: string, { ordinality = '' } = {}): string {
  // JSON and times travel as texts.
  const arrays = Object.values(columns).map(
    (type, at) => `$${first + at}::text[]${type === 'text' ? '' : `::${type}[]`}`,
  );
  const names = [...Object.keys(columns), ...(ordinality ? [ordinality] : [])];
  return `unnest(${arrays.join(', ')})${ordinality && ' WITH ORDINALITY'} AS ${alias}(${names.join(', ')})`;
}

/** How many parameters columns take. */
export const width = (columns: Columns): number => Object.keys(columns).length;

/** Those of `node_result`, apart from the revision. */
export const RESULT = {
  execution_id: 'text',
  node_id: 'text',
  status: 'text',
  port: 'text',
  attempts: 'int',
  output: 'json',
  error: 'json',
  started_at: 'timestamptz',
  completed_at: 'timestamptz',
  wake_at: 'timestamptz',
  held: 'json',
  large_bytes: 'int',
  tries: 'json',
} satisfies Columns;

/** Those of `log_entry`. */
export const LOG = {
  execution_id: 'text',
  node_id: 'text',
  level: 'text',
  message: 'text',
  timestamp: 'timestamptz',
} satisfies Columns;

/** Times of one flush are close together: most are the text of the one before. */
let latest = { at: Number.NaN, text: '' };

/** A time as parameters have it. */
export function timeText(date: Date | null): string | null {
  if (!date) return null;
  const at = date.getTime();
  if (at !== latest.at) latest = { at, text: date.toISOString() };
  return latest.text;
}

/** JSON as parameters have it. */
export const jsonText = (value: object | null): string | null => (value ? JSON.stringify(value) : null);

/** Shorter columns end in NULLs, so one without a value need not be sent or read. */
export const sparse = (column: (string | null)[]): (string | null)[] =>
  column.some((value) => value !== null) ? column : [];

/** So many empty columns. */
const empty = (count: number) => Array.from({ length: count }, (): (string | null)[] => []);

/** The rows of `RESULT` and of `LOG`, column by column. */
export function newsColumns(news: News[]): { results: (string | null)[][]; logs: (string | null)[][] } {
  const results = empty(width(RESULT));
  const logs = empty(width(LOG));
  const add = (columns: (string | null)[][], row: (string | null)[]) =>
    row.forEach((value, at) => columns[at]?.push(value));
  for (const { executionId, nodes, logs: lines } of news) {
    for (const { state, json, heldJson } of nodes) {
      add(results, [
        executionId,
        state.path,
        state.status,
        state.port,
        String(state.attempts),
        json,
        jsonText(state.error),
        timeText(state.startedAt),
        timeText(state.completedAt),
        timeText(state.wakeAt),
        heldJson,
        state.largeBytes === null ? null : String(state.largeBytes),
        state.tries.length > 0 ? JSON.stringify(state.tries) : null,
      ]);
    }
    for (const { path, level, message, timestamp } of lines) {
      add(logs, [executionId, path, level, message, timeText(timestamp)]);
    }
  }
  return { results: results.map(sparse), logs: logs.map(sparse) };
}
