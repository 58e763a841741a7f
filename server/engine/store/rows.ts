import type { LogLevel } from '@/contract/execution-log';
import { toStoredStatus } from './state-row';
import {
  isNodeFinished,
  largeOutputBytes,
  currentNodeError,
  startedChildId,
  takenOutputPort,
  nodeWakeTime,
  type NodeState,
} from './state';

export interface PendingLogLine {
  path: string | null;
  level: LogLevel;
  message: string;
  timestamp: Date;
}

/** A node's state to be written. */
export interface PendingNodeRow {
  state: NodeState;
  /** The output of the node as JSON. */
  json: string | null;
  /** The resume data of the node as JSON; null: it has not changed. */
  resumeJson: string | null;
}

/** The rows that one step of one run writes. */
export interface PendingRunWrites {
  executionId: string;
  nodes: PendingNodeRow[];
  logs: PendingLogLine[];
}

/** Columns of a set of rows that is passed to a statement as one array per column, with their types. */
export type ColumnTypes = Record<string, 'text' | 'int' | 'bool' | 'json' | 'timestamptz'>;

/** A column with a longer text is sent in PostgreSQL's binary format. */
const MAX_QUOTED_TEXT = 64 * 1024;

/**
 * Rows as PostgreSQL arrays, one per column. Serialized here because node-postgres inspects every value several
 * times. A column without values is an empty array: `unnest` pads shorter arrays with NULLs.
 */
export class ColumnArrays {
  private readonly types: ColumnTypes[string][];
  private readonly rows: ColumnCell[][] = [];

  constructor(columns: ColumnTypes) {
    this.types = Object.values(columns);
  }

  /** In the order of the columns. */
  add(row: ColumnCell[]): void {
    this.rows.push(row);
  }

  /**
   * Array literals; where a text is long, the bytes of PostgreSQL's binary format, because quoting it takes ten times
   * as long as encoding it.
   */
  get parameters(): (string | Buffer)[] {
    return this.types.map((type, at) => encodeColumn(type, this.rows, at));
  }
}

function encodeColumn(type: ColumnTypes[string], rows: ColumnCell[][], at: number): string | Buffer {
  const write = ELEMENT_WRITERS[type];
  const texts: string[] = [];
  let hasValues = false;
  for (const row of rows) {
    const cell = row[at] ?? null;
    if (typeof cell === 'string' && cell.length > MAX_QUOTED_TEXT)
      return encodeBinaryColumn(
        type,
        rows.map((one) => one[at] ?? null),
      );
    if (cell !== null) hasValues = true;
    texts.push(cell === null ? 'NULL' : write(cell));
  }
  return hasValues ? `{${texts.join(',')}}` : '{}';
}

/** PostgreSQL's type numbers of the types whose binary format is their text. */
const TEXT_TYPE_NUMBERS: Partial<Record<ColumnTypes[string], number>> = { text: 25, json: 114 };

/**
 * An array in the format of PostgreSQL's `array_recv`: one dimension, then the length and the bytes of each element.
 */
function encodeBinaryColumn(type: ColumnTypes[string], cells: ColumnCell[]): Buffer {
  const typeNumber = TEXT_TYPE_NUMBERS[type];
  if (typeNumber === undefined) throw new Error(`A column of ${type} has no long texts`);
  const texts = cells.map((cell) => (cell === null ? null : String(cell)));
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const head = [1, cells.includes(null) ? 1 : 0, typeNumber, cells.length, 1];
  // All elements are written into one buffer, because copying megabytes takes most of the time.
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 4 * head.length));
  let at = 0;
  for (const number of head) at = bytes.writeInt32BE(number, at);
  texts.forEach((text, index) => {
    at = bytes.writeInt32BE(text === null ? -1 : (lengths[index] ?? 0), at);
    if (text !== null) at += bytes.write(text, at);
  });
  return bytes;
}

type ColumnCell = string | number | boolean | null;

const unquotedElement = (value: ColumnCell) => String(value);
const quotedElement = (value: ColumnCell) => {
  const text = String(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
};
/**
 * Output of JSON.stringify has no control characters and no half surrogates, so quoting it again is a valid element.
 */
const quotedJsonElement = (value: ColumnCell) => JSON.stringify(value);

const ELEMENT_WRITERS = {
  text: quotedElement,
  json: quotedJsonElement,
  int: unquotedElement,
  bool: unquotedElement,
  timestamptz: unquotedElement,
};

/** Columns of `node_result`, except the revision. */
export const NODE_RESULT_COLUMNS = {
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
} satisfies ColumnTypes;

/** Columns of `log_entry`. */
export const LOG_ENTRY_COLUMNS = {
  execution_id: 'text',
  node_id: 'text',
  level: 'text',
  message: 'text',
  timestamp: 'timestamptz',
} satisfies ColumnTypes;

/** Cache of the last text: most times of one flush are equal. */
let latestTimeText = { at: Number.NaN, text: '' };

/** Converts a time to the parameter of a statement. */
export function toTimeParameter(date: Date | null): string | null {
  if (!date) return null;
  const at = date.getTime();
  if (at !== latestTimeText.at) latestTimeText = { at, text: date.toISOString() };
  return latestTimeText.text;
}

/** Converts an object to the parameter of a statement. */
export const toJsonParameter = (value: object | null): string | null => (value ? JSON.stringify(value) : null);

/** The index of the current round of a loop that decides after each round; null: the node is none. */
const currentRoundIndex = ({ resumeData }: NodeState): number | null =>
  resumeData?.kind === 'progress' ? resumeData.progress.round : null;

/** The rows of pending writes, as `NODE_RESULT_COLUMNS` and `LOG` columns. */
export function toColumnArrays(pendingWrites: PendingRunWrites[]): { results: ColumnArrays; logs: ColumnArrays } {
  const results = new ColumnArrays(NODE_RESULT_COLUMNS);
  const logs = new ColumnArrays(LOG_ENTRY_COLUMNS);
  for (const { executionId, nodes, logs: lines } of pendingWrites) {
    for (const { state, json, resumeJson } of nodes) {
      results.add([
        executionId,
        state.path,
        toStoredStatus(state),
        takenOutputPort(state),
        state.attemptNumber,
        json,
        toJsonParameter(currentNodeError(state)),
        toTimeParameter(state.startedAt),
        toTimeParameter(isNodeFinished(state) ? state.completedAt : null),
        toTimeParameter(nodeWakeTime(state)),
        resumeJson,
        resumeJson === null ? null : currentRoundIndex(state),
        resumeJson === null ? null : (startedChildId(state) ?? null),
        largeOutputBytes(state),
        state.attempts.length > 0 ? JSON.stringify(state.attempts) : null,
      ]);
    }
    for (const { path, level, message, timestamp } of lines) {
      logs.add([executionId, path, level, message, toTimeParameter(timestamp)]);
    }
  }
  return { results, logs };
}
