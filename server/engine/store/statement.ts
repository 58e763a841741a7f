import type { ColumnArrays, ColumnTypes } from './rows';

/**
 * The parameters of a SQL statement, numbered by name: single values first, then the columns of each source as one
 * array each. A source is a set of rows that the statement reads with `unnest`.
 */
export class StatementParameters<Value extends string, Source extends string> {
  private readonly firstNumbers = new Map<Source, number>();
  private readonly sourceOrder: readonly Source[];

  constructor(
    private readonly names: readonly Value[],
    private readonly sources: Record<Source, ColumnTypes>,
  ) {
    this.sourceOrder = Object.keys(sources) as Source[];
    let next = names.length + 1;
    for (const source of this.sourceOrder) {
      this.firstNumbers.set(source, next);
      next += Object.keys(sources[source]).length;
    }
  }

  /** `$1` */
  value(name: Value): string {
    return `$${this.names.indexOf(name) + 1}`;
  }

  /** One column of a source as an array: `$7::text[]` */
  column(source: Source, name: string): string {
    const columns = this.sources[source];
    const at = Object.keys(columns).indexOf(name);
    if (at === -1) throw new Error(`${source} has no column ${name}`);
    return `$${(this.firstNumbers.get(source) ?? 0) + at}::${columns[name]}[]`;
  }

  /** A source as a table: `unnest($3::text[], $4::int[]) AS alias(id, attempts)` */
  table(source: Source, alias: string, { ordinality = '' } = {}): string {
    const names = Object.keys(this.sources[source]);
    const arrays = names.map((name) => this.column(source, name)).join(', ');
    const columns = [...names, ...(ordinality ? [ordinality] : [])].join(', ');
    return `unnest(${arrays})${ordinality && ' WITH ORDINALITY'} AS ${alias}(${columns})`;
  }

  /** The values in the order of their numbers. */
  bind(values: Record<Value, unknown>, rows: Record<Source, ColumnArrays>): unknown[] {
    const bound: unknown[] = this.names.map((name) => values[name]);
    for (const source of this.sourceOrder) bound.push(...rows[source].parameters);
    return bound;
  }
}

/** A statement that a connection prepares once, by its name. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** Up to this number of runs, planning for the exact number takes longer than it saves. */
const MAX_RUNS_PLANNED_ONCE = 4;

/**
 * Two ways to write a statement with arrays of rows, for few and for many runs. PostgreSQL plans a prepared statement
 * again whenever a plan for these values seems cheaper than one for any values, which is so for arrays of few rows:
 * planning took a quarter of the time of the statement. For few runs the arrays stand in subqueries, into which the
 * planner does not look, so that one plan serves all. For many runs the plan for their number pays.
 */
export function prepareByRunCount({ name, text }: NamedStatement): (runs: number) => NamedStatement {
  const many = { name, text };
  const few = {
    name: `${name}-few`,
    text: text.replace(/\$\d+::(\w+\[\])/g, (array, type: string) => `(SELECT ${array})::${type}`),
  };
  return (runs) => (runs <= MAX_RUNS_PLANNED_ONCE ? few : many);
}
