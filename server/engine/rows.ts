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

/** The columns of a table that a statement is given, one array each, and what they hold. */
export type Columns = Record<string, 'text' | 'int' | 'bool' | 'json' | 'timestamptz'>;

/** These columns as a table, from parameter `first` on. */
export function given(columns: Columns, first: number, alias: string, { ordinality = '' } = {}): string {
  const arrays = Object.values(columns).map((type, at) => `$${first + at}::${type}[]`);
  const names = [...Object.keys(columns), ...(ordinality ? [ordinality] : [])];
  return `unnest(${arrays.join(', ')})${ordinality && ' WITH ORDINALITY'} AS ${alias}(${names.join(', ')})`;
}

/** How many parameters columns take. */
export const width = (columns: Columns): number => Object.keys(columns).length;

/**
 * Rows on their way to a statement, as the texts of arrays, one per column. Written here because node-postgres looks at
 * every value several times. A column without a value is empty: the shorter ones of a table end in NULLs.
 */
export class Table {
  private readonly columns: { write: (value: Cell) => string; texts: string[]; hasValues: boolean }[];

  constructor(columns: Columns) {
    this.columns = Object.values(columns).map((type) => ({ write: WRITERS[type], texts: [], hasValues: false }));
  }

  /** In the order of the columns. */
  add(row: Cell[]): void {
    let at = 0;
    for (const column of this.columns) {
      const value = row[at++] ?? null;
      if (value !== null) column.hasValues = true;
      column.texts.push(value === null ? 'NULL' : column.write(value));
    }
  }

  get parameters(): string[] {
    return this.columns.map(({ texts, hasValues }) => (hasValues ? `{${texts.join(',')}}` : '{}'));
  }
}

type Cell = string | number | boolean | null;

const plainly = (value: Cell) => String(value);
const quoted = (value: Cell) => {
  const text = String(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
};
/** What JSON.stringify has made has no control characters and no half surrogates, so it quotes as arrays want it. */
const quotedJson = (value: Cell) => JSON.stringify(value);

const WRITERS = { text: quoted, json: quotedJson, int: plainly, bool: plainly, timestamptz: plainly };

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

/** Rows of `RESULT` and of `LOG`. */
export function newsTables(news: News[]): { results: string[]; logs: string[] } {
  const results = new Table(RESULT);
  const logs = new Table(LOG);
  for (const { executionId, nodes, logs: lines } of news) {
    for (const { state, json, heldJson } of nodes) {
      results.add([
        executionId,
        state.path,
        state.status,
        state.port,
        state.attempts,
        json,
        jsonText(state.error),
        timeText(state.startedAt),
        timeText(state.completedAt),
        timeText(state.wakeAt),
        heldJson,
        state.largeBytes,
        state.tries.length > 0 ? JSON.stringify(state.tries) : null,
      ]);
    }
    for (const { path, level, message, timestamp } of lines) {
      logs.add([executionId, path, level, message, timeText(timestamp)]);
    }
  }
  return { results: results.parameters, logs: logs.parameters };
}
