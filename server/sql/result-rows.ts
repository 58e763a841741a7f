import { parseExactJson } from '@/contract/exact-json';
import { YieldTimer } from '@/server/cooperative';
import { NodeFailure } from '@/server/errors/node-failure';
import { depthOf, MAX_DEPTH } from '@/server/expressions/json-depth';
import { fromJson, jsonOf, MAX_PARSED } from '@/server/expressions/large-json';
import { put } from '@/server/expressions/scope';
import { JsonText } from './values';

export const MODES = ['rows', 'one', 'execute'] as const;
export type Mode = (typeof MODES)[number];

export const MAX_SQL_ROWS = 10_000;
export const MAX_SQL_BYTES = 10 * 1024 * 1024;
/** Up to this size a result is read without reserving memory. */
const SMALL = 256 * 1024;

export interface Column {
  name: string;
  read(value: unknown): unknown;
}

/** What a result needs of its run. */
export interface ResultContext {
  /** Waits until so many bytes of memory are available. */
  reserve(bytes: number): Promise<void>;
  /** Parses JSON that is too large for the main thread. */
  parseLarge(text: string): Promise<unknown>;
}

/** The size of all results of one node. */
export class ResultBudget {
  private bytes = 0;

  constructor(private readonly reserve: ResultContext['reserve']) {}

  /** Throws NodeFailure TOO_LARGE. */
  async take(bytes: number): Promise<void> {
    const before = this.bytes;
    this.bytes += bytes;
    if (this.bytes > MAX_SQL_BYTES) throw new NodeFailure('TOO_LARGE', 'The result is larger than 10 MiB.', false);
    if (before <= SMALL && this.bytes > SMALL) await this.reserve(MAX_SQL_BYTES);
  }
}

/** The result of one statement, collected while it arrives. Rows become JSON at once, so that no more than the limit is held. */
export class ResultRows {
  private readonly texts: string[] = [];
  private count = 0;
  private columns: Column[] = [];
  private affected: number | null = null;
  private readonly yieldTimer = new YieldTimer();

  constructor(
    private readonly mode: Mode,
    private readonly budget: ResultBudget,
    private readonly parseLarge: ResultContext['parseLarge'],
  ) {}

  /** Rows are counted only. */
  get isDiscarding(): boolean {
    return this.mode === 'execute';
  }

  begin(columns: Column[]): void {
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
    // With its comma, and the brackets of the list.
    await this.budget.take(Buffer.byteLength(text) + 2);
    this.texts.push(text);
  }

  /** The output: a list, a row or null, or the number of rows. */
  get output(): unknown {
    if (this.mode === 'execute') return { rowCount: this.count > 0 ? this.count : (this.affected ?? 0) };
    if (this.mode === 'one') return fromJson(this.texts[0] ?? 'null');
    return fromJson(`[${this.texts.join(',')}]`);
  }

  private async jsonOfRow(values: unknown[]): Promise<string> {
    const row: Record<string, unknown> = {};
    for (const [index, { name, read }] of this.columns.entries()) {
      const value = values[index] ?? null;
      put(row, name, value === null ? null : await this.parsed(read(value)));
    }
    const text = jsonOf(row) ?? '{}';
    // The list around the rows is one more level.
    if (text.length > MAX_DEPTH && depthOf(text) >= MAX_DEPTH) {
      throw new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_DEPTH} levels.`, false);
    }
    return text;
  }

  /** JSON of the server. What is none stays text. */
  private async parsed(value: unknown): Promise<unknown> {
    if (!(value instanceof JsonText)) return value;
    if (value.text.length > MAX_PARSED) return this.parseLarge(value.text);
    try {
      return parseExactJson(value.text);
    } catch {
      return value.text;
    }
  }
}
