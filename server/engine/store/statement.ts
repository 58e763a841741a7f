import type { ColumnArrays, Columns } from './rows';

/**
 * The parameters of a SQL statement, numbered by name: single values first, then the columns of each source as one
 * array each. A source is a set of rows that the statement reads with `unnest`.
 */
export class StatementParameters<Value extends string, Source extends string> {
  private readonly starts = new Map<Source, number>();
  private readonly order: readonly Source[];

  constructor(
    private readonly names: readonly Value[],
    private readonly sources: Record<Source, Columns>,
  ) {
    this.order = Object.keys(sources) as Source[];
    let next = names.length + 1;
    for (const source of this.order) {
      this.starts.set(source, next);
      next += Object.keys(sources[source]).length;
    }
  }

  /** `$1` */
  value(name: Value): string {
    return `$${this.names.indexOf(name) + 1}`;
  }

  /**
   * One column of a source as an array: `(SELECT $7::text[])::text[]`. The planner does not look into it: PostgreSQL plans a prepared statement again
   * whenever the plan for these values seems cheaper, and arrays of few rows always do. Planning took a quarter of the time of the statement.
   */
  column(source: Source, name: string): string {
    const columns = this.sources[source];
    const at = Object.keys(columns).indexOf(name);
    if (at === -1) throw new Error(`${source} has no column ${name}`);
    const type = `${columns[name]}[]`;
    return `(SELECT $${(this.starts.get(source) ?? 0) + at}::${type})::${type}`;
  }

  /** A source as a table: `unnest(…, …) AS alias(id, attempts)` */
  table(source: Source, alias: string, { ordinality = '' } = {}): string {
    const names = Object.keys(this.sources[source]);
    const arrays = names.map((name) => this.column(source, name)).join(', ');
    const columns = [...names, ...(ordinality ? [ordinality] : [])].join(', ');
    return `unnest(${arrays})${ordinality && ' WITH ORDINALITY'} AS ${alias}(${columns})`;
  }

  /** The values in the order of their numbers. */
  bind(values: Record<Value, unknown>, rows: Record<Source, ColumnArrays>): unknown[] {
    const bound: unknown[] = this.names.map((name) => values[name]);
    for (const source of this.order) bound.push(...rows[source].parameters);
    return bound;
  }
}
