import type { CsvRecord } from '@/contract/tables/csv-reader';

/** A row as its reader gives it; `row`: its number, from 1. */
export type NumberedRow = Pick<CsvRecord, 'row'> & { cells: readonly unknown[]; isQuoted?: readonly boolean[] };

/** Columns of a table, with the JSON of their names. They grow with rows that have more cells than those before. */
export class RowColumns {
  private readonly keys: string[] = [];

  constructor(readonly names: readonly string[]) {}

  keyAt(index: number): string {
    return (this.keys[index] ??= `${JSON.stringify(this.names[index])}:`);
  }
}

/**
 * A row by the names of its columns. An object would not keep their order: JavaScript puts names such as 2023 before
 * all others.
 */
export class NamedRow {
  constructor(
    readonly columns: RowColumns,
    readonly cells: readonly unknown[],
  ) {}

  get names(): readonly string[] {
    return this.columns.names.slice(0, this.cells.length);
  }

  get json(): string {
    return `{${this.cells.map((cell, index) => this.columns.keyAt(index) + JSON.stringify(cell)).join(',')}}`;
  }
}

/** The JSON of a row in any form. */
export const serializeRow = (row: unknown): string => (row instanceof NamedRow ? row.json : JSON.stringify(row));
