import type { Condition } from './filter';
import { Parameters, tableName, type Sql } from './sql';
import type { DataTable, Field } from './table';

/** Smaller tables are read as a whole. */
const MIN_ROWS = 10_000;
/** Rows of a sample, characters of each text in it, and characters of the search that are looked for. */
const SAMPLE = 300;
const SAMPLED_TEXT = 500;
const SEARCHED_TEXT = 100;
/** A part that more rows have is frequent. */
const RARE = 0.03;
/** Conditions of one filter that are looked into, and parts that one of them uses. */
const MAX_CONDITIONS = 3;
const MAX_PARTS = 5;

/** Three characters that the index of a column has: inside of a word, its beginning or its end. */
const GROUP = /^(?:[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}])$/u;

type Contains = Extract<Condition, { operator: 'contains' }>;

const containsIn = (condition: Condition | null): Contains[] => {
  if (!condition) return [];
  if ('join' in condition) return condition.parts.flatMap(containsIn);
  return condition.operator === 'contains' ? [condition] : [];
};

const isSearchable = ({ indexes, isIndexed }: DataTable, { column }: Field) =>
  isIndexed && column !== null && indexes.includes(`${column.id} search`);

/** The positions of the groups of a text. */
const groupsOf = (characters: readonly string[]): number[] =>
  characters.flatMap((_, at) => (GROUP.test(characters.slice(at, at + 3).join('')) ? [at] : []));

/** The longest parts of a text that consist of such groups. */
export function partsOf(characters: readonly string[], groups: readonly number[]): string[] {
  const runs: { from: number; to: number }[] = [];
  for (const at of groups) {
    const last = runs.at(-1);
    if (last && last.to === at + 2) last.to = at + 3;
    else runs.push({ from: at, to: at + 3 });
  }
  return runs.map(({ from, to }) => characters.slice(from, to).join('')).slice(0, MAX_PARTS);
}

/** The share of the rows of a sample whose text has each group. */
async function sharesOf(sql: Sql, table: DataTable, field: Field, groups: readonly string[]): Promise<number[]> {
  const parameters = new Parameters();
  const percent = Math.min(100, (200 * SAMPLE) / table.analyzedRows);
  const rows = await sql.query<{ share: number }>(
    `WITH sample AS MATERIALIZED (
       SELECT lower(left(${field.sql}, ${SAMPLED_TEXT})) AS text FROM ${tableName(table.id)} TABLESAMPLE SYSTEM (${percent}) LIMIT ${SAMPLE}
     )
     SELECT coalesce((SELECT avg((strpos(text, lower(g.group_text)) > 0)::int) FROM sample), 1)::float8 AS share
     FROM json_array_elements_text(${parameters.add(JSON.stringify(groups), 'json')}) WITH ORDINALITY AS g(group_text, position)
     ORDER BY g.position`,
    parameters.values,
  );
  return rows.map(({ share }) => share);
}

/**
 * Says for each `contains` which parts of its text are rare, if others are frequent. The index of a column has the rows of each group of three
 * characters; it would read all rows of the frequent ones, to find the few that the rare ones lead to anyway.
 */
export async function findRareParts(sql: Sql, table: DataTable, condition: Condition | null): Promise<void> {
  if (table.analyzedRows < MIN_ROWS) return;
  const searches = containsIn(condition).filter(({ field }) => isSearchable(table, field));
  for (const search of searches.slice(0, MAX_CONDITIONS)) {
    const characters = Array.from(search.value.slice(0, SEARCHED_TEXT));
    const groups = groupsOf(characters);
    if (groups.length < 2) continue;
    const texts = groups.map((at) => characters.slice(at, at + 3).join(''));
    const shares = await sharesOf(sql, table, search.field, texts);
    const rare = groups.filter((_, index) => (shares[index] ?? 1) <= RARE);
    if (rare.length > 0 && rare.length < groups.length) search.rareParts = partsOf(characters, rare);
  }
}
