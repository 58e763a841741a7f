import type { LogLevel } from '@/contract/execution-log';
import { storedStatus } from './state-row';
import { isFinished, largeBytes, nodeError, startedChildId, takenPort, wakeTime, type NodeState } from './state';

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
  /** Its resume data as JSON; null: unchanged. */
  resumeJson: string | null;
}

/** The rows that one step of one run writes. */
export interface PendingWrites {
  executionId: string;
  nodes: Row[];
  logs: LogLine[];
}

/** Columns of a set of rows that is passed to a statement as one array per column, with their types. */
export type Columns = Record<string, 'text' | 'int' | 'bool' | 'json' | 'timestamptz'>;

/** A column with a longer text is sent in PostgreSQL's binary format. */
const MAX_QUOTED = 64 * 1024;

/**
 * Rows as PostgreSQL arrays, one per column. Serialized here because node-postgres inspects every value several
 * times. A column without values is an empty array: `unnest` pads shorter arrays with NULLs.
 */
export class ColumnArrays {
  private readonly types: Columns[string][];
  private readonly rows: Cell[][] = [];

  constructor(columns: Columns) {
    this.types = Object.values(columns);
  }

  /** In the order of the columns. */
  add(row: Cell[]): void {
    this.rows.push(row);
  }

  /** Array literals; where a text is long, the bytes of PostgreSQL's binary format, because quoting it takes ten times as long as encoding it. */
  get parameters(): (string | Buffer)[] {
    return this.types.map((type, at) => columnArray(type, this.rows, at));
  }
}

function columnArray(type: Columns[string], rows: Cell[][], at: number): string | Buffer {
  const write = WRITERS[type];
  const texts: string[] = [];
  let hasValues = false;
  for (const row of rows) {
    const cell = row[at] ?? null;
    if (typeof cell === 'string' && cell.length > MAX_QUOTED)
      return binaryArray(
        type,
        rows.map((one) => one[at] ?? null),
      );
    if (cell !== null) hasValues = true;
    texts.push(cell === null ? 'NULL' : write(cell));
  }
  return hasValues ? `{${texts.join(',')}}` : '{}';
}

/** The numbers of types whose binary format is their text. */
const TEXT_TYPES: Partial<Record<Columns[string], number>> = { text: 25, json: 114 };

/** An array in the format of PostgreSQL's `array_recv`: one dimension, then the length and the bytes of each element. */
function binaryArray(type: Columns[string], cells: Cell[]): Buffer {
  const typeNumber = TEXT_TYPES[type];
  if (typeNumber === undefined) throw new Error(`A column of ${type} has no long texts`);
  const texts = cells.map((cell) => (cell === null ? null : String(cell)));
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const head = [1, cells.includes(null) ? 1 : 0, typeNumber, cells.length, 1];
  // Written into one buffer: copies of megabytes are what takes long.
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 4 * head.length));
  let at = 0;
  for (const number of head) at = bytes.writeInt32BE(number, at);
  texts.forEach((text, index) => {
    at = bytes.writeInt32BE(text === null ? -1 : (lengths[index] ?? 0), at);
    if (text !== null) at += bytes.write(text, at);
  });
  return bytes;
}

type Cell = string | number | boolean | null;

const unquoted = (value: Cell) => String(value);
const quoted = (value: Cell) => {
  const text = String(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
};
/** Output of JSON.stringify has no control characters and no half surrogates, so quoting it again is a valid element. */
const quotedJson = (value: Cell) => JSON.stringify(value);

const WRITERS = { text: quoted, json: quotedJson, int: unquoted, bool: unquoted, timestamptz: unquoted };

/** Columns of `node_result`, except the revision. */
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
  round: 'int',
  child_id: 'text',
  large_bytes: 'int',
  tries: 'json',
} satisfies Columns;

/** Columns of `log_entry`. */
export const LOG = {
  execution_id: 'text',
  node_id: 'text',
  level: 'text',
  message: 'text',
  timestamp: 'timestamptz',
} satisfies Columns;

/** Cache of the last text: most times of one flush are equal. */
let latest = { at: Number.NaN, text: '' };

/** A time as a parameter. */
export function timeText(date: Date | null): string | null {
  if (!date) return null;
  const at = date.getTime();
  if (at !== latest.at) latest = { at, text: date.toISOString() };
  return latest.text;
}

/** JSON as a parameter. */
export const jsonText = (value: object | null): string | null => (value ? JSON.stringify(value) : null);

/** The index of the current round of a loop that decides after each round; null: the node is none. */
const currentRound = ({ resumeData }: NodeState): number | null =>
  resumeData?.kind === 'progress' ? resumeData.progress.round : null;

/** The rows of pending writes, as `RESULT` and `LOG` columns. */
export function pendingTables(pendingWrites: PendingWrites[]): { results: ColumnArrays; logs: ColumnArrays } {
  const results = new ColumnArrays(RESULT);
  const logs = new ColumnArrays(LOG);
  for (const { executionId, nodes, logs: lines } of pendingWrites) {
    for (const { state, json, resumeJson } of nodes) {
      results.add([
        executionId,
        state.path,
        storedStatus(state),
        takenPort(state),
        state.attemptNumber,
        json,
        jsonText(nodeError(state)),
        timeText(state.startedAt),
        timeText(isFinished(state) ? state.completedAt : null),
        timeText(wakeTime(state)),
        resumeJson,
        resumeJson === null ? null : currentRound(state),
        resumeJson === null ? null : (startedChildId(state) ?? null),
        largeBytes(state),
        state.attempts.length > 0 ? JSON.stringify(state.attempts) : null,
      ]);
    }
    for (const { path, level, message, timestamp } of lines) {
      logs.add([executionId, path, level, message, timeText(timestamp)]);
    }
  }
  return { results, logs };
}
