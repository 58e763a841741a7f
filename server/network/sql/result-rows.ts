import { parseExactJson } from '@/contract/exact-json';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { measureJsonDepth, MAX_JSON_NESTING } from '@/server/evaluation/expressions/json-depth';
import { parseUnlessLarge, serializeJson, MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { setField } from '@/server/evaluation/expressions/scope';
import { UnparsedJson } from './values';

export const SQL_RESULT_MODES = ['rows', 'one', 'execute'] as const;
export type SqlResultMode = (typeof SQL_RESULT_MODES)[number];

export const MAX_SQL_ROWS = 10_000;
export const MAX_SQL_BYTES = 10 * 1024 * 1024;
/** Up to this size a result is read without reserving memory. */
const UNRESERVED_RESULT_BYTES = 256 * 1024;

export interface ResultColumn {
  name: string;
  read(value: unknown): unknown;
}

/** The parts of a run that a result needs. */
export interface SqlResultContext {
  /** Waits until so many bytes of memory are available. */
  reserve(bytes: number): Promise<void>;
  /** Parses JSON that is too large for the main thread. */
  parseLarge(text: string): Promise<unknown>;
}

/** The size of all results of one node. */
export class SqlResultBudget {
  private bytes = 0;

  constructor(private readonly reserve: SqlResultContext['reserve']) {}

  /** Throws NodeFailure TOO_LARGE. */
  async take(bytes: number): Promise<void> {
    const before = this.bytes;
    this.bytes += bytes;
    if (this.bytes > MAX_SQL_BYTES) throw new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);
    if (before <= UNRESERVED_RESULT_BYTES && this.bytes > UNRESERVED_RESULT_BYTES) await this.reserve(MAX_SQL_BYTES);
  }
}

/**
 * The result of one statement, collected while it arrives. Rows become JSON at once, so that no more than the limit is
 * held.
 */
export class SqlResultRows {
  private readonly texts: string[] = [];
  private count = 0;
  private columns: ResultColumn[] = [];
  private affected: number | null = null;
  private readonly yieldTimer = new YieldTimer();

  constructor(
    private readonly mode: SqlResultMode,
    private readonly budget: SqlResultBudget,
    private readonly parseLarge: SqlResultContext['parseLarge'],
  ) {}

  /** True: rows are counted and not kept. */
  get isDiscarding(): boolean {
    return this.mode === 'execute';
  }

  begin(columns: ResultColumn[]): void {
    this.columns = columns;
  }

  /** The number of rows that the server has changed, for a statement without rows. */
  end(affected: number | null): void {
    this.affected = affected;
  }

  /** Throws NodeFailure TOO_MANY_ROWS, TOO_LARGE or OUTPUT_TOO_DEEP. */
  async add(values: unknown[]): Promise<void> {
    this.count += 1;
    if (this.yieldTimer.isDue) await this.yieldTimer.take();
    if (this.isDiscarding) return;
    if (this.count > MAX_SQL_ROWS) {
      throw new NodeFailure('TOO_MANY_ROWS', `The statement returns more than ${MAX_SQL_ROWS} rows.`, false);
    }
    if (this.mode === 'one' && this.count > 1) return;
    const text = await this.jsonOfRow(values);
    // The comma and the brackets of the list are counted, too.
    await this.budget.take(Buffer.byteLength(text) + 2);
    this.texts.push(text);
  }

  /** The output: a list, a row or null, or the number of rows. */
  get output(): unknown {
    if (this.mode === 'execute') return { rowCount: this.count > 0 ? this.count : (this.affected ?? 0) };
    if (this.mode === 'one') return parseUnlessLarge(this.texts[0] ?? 'null');
    return parseUnlessLarge(`[${this.texts.join(',')}]`);
  }

  private async jsonOfRow(values: unknown[]): Promise<string> {
    const row: Record<string, unknown> = {};
    for (const [index, { name, read }] of this.columns.entries()) {
      const value = values[index] ?? null;
      setField(row, name, value === null ? null : await this.parsed(read(value)));
    }
    const text = serializeJson(row) ?? '{}';
    // The list around the rows is one more level.
    if (text.length > MAX_JSON_NESTING && measureJsonDepth(text) >= MAX_JSON_NESTING) {
      throw new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_JSON_NESTING} levels.`, false);
    }
    return text;
  }

  /** JSON of the server. What is none stays text. */
  private async parsed(value: unknown): Promise<unknown> {
    if (!(value instanceof UnparsedJson)) return value;
    if (value.text.length > MAX_PARSED_JSON) return this.parseLarge(value.text);
    try {
      return parseExactJson(value.text);
    } catch {
      return value.text;
    }
  }
}
