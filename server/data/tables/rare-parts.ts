import type { RowCondition } from './filter';
import { SqlParameters, rowTableName, type SqlClient } from './sql';
import type { DataTableRecord, TableField } from './table';

/** Smaller tables are read as a whole. */
const MIN_ROWS_TO_SAMPLE = 10_000;
/**
 * The limits of a sample: its rows, the characters of each text in it, and the characters of the search that it looks
 * for.
 */
const SAMPLE_ROWS = 300;
const SAMPLED_CHARACTERS = 500;
const SEARCHED_CHARACTERS = 100;
/** A part that more rows have is frequent. */
const MAX_RARE_SHARE = 0.03;
/** Conditions of one filter that are looked into, and parts that one of them uses. */
const MAX_SAMPLED_CONDITIONS = 3;
const MAX_RARE_PARTS = 5;

/** Three characters that the index of a column has: inside of a word, its beginning or its end. */
const TRIGRAM = /^(?:[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}])$/u;

type ContainsCondition = Extract<RowCondition, { operator: 'contains' }>;

const listContainsConditions = (condition: RowCondition | null): ContainsCondition[] => {
  if (!condition) return [];
  if ('join' in condition) return condition.parts.flatMap(listContainsConditions);
  return condition.operator === 'contains' ? [condition] : [];
};

const hasSearchIndex = ({ indexes, isIndexed }: DataTableRecord, { column }: TableField) =>
  isIndexed && column !== null && indexes.includes(`${column.id} search`);

/** The positions of the groups of a text. */
const trigramPositions = (characters: readonly string[]): number[] =>
  characters.flatMap((_, at) => (TRIGRAM.test(characters.slice(at, at + 3).join('')) ? [at] : []));

/** The longest parts of a text that consist of such groups. */
export function joinTrigrams(characters: readonly string[], groups: readonly number[]): string[] {
  const runs: { from: number; to: number }[] = [];
  for (const at of groups) {
    const last = runs.at(-1);
    if (last && last.to === at + 2) last.to = at + 3;
    else runs.push({ from: at, to: at + 3 });
  }
  return runs.map(({ from, to }) => characters.slice(from, to).join('')).slice(0, MAX_RARE_PARTS);
}

/** The share of the rows of a sample whose text has each group. */
async function sampleTrigramShares(
  sql: SqlClient,
  table: DataTableRecord,
  field: TableField,
  groups: readonly string[],
): Promise<number[]> {
  const parameters = new SqlParameters();
  const percent = Math.min(100, (200 * SAMPLE_ROWS) / table.analyzedRows);
  const rows = await sql.query<{ share: number }>(
    `WITH sample AS MATERIALIZED (
       SELECT lower(left(${field.sql}, ${SAMPLED_CHARACTERS})) AS text FROM ${rowTableName(table.id)} TABLESAMPLE SYSTEM (${percent}) LIMIT ${SAMPLE_ROWS}
     )
     SELECT coalesce((SELECT avg((strpos(text, lower(g.group_text)) > 0)::int) FROM sample), 1)::float8 AS share
     FROM json_array_elements_text(${parameters.add(JSON.stringify(groups), 'json')}) WITH ORDINALITY AS g(group_text, position)
     ORDER BY g.position`,
    parameters.values,
  );
  return rows.map(({ share }) => share);
}

/**
 * Says for each `contains` which parts of its text are rare, if others are frequent. The index of a column has the rows
 * of each group of three characters; it would read all rows of the frequent ones, to find the few that the rare ones
 * lead to anyway.
 */
export async function findRareParts(
  sql: SqlClient,
  table: DataTableRecord,
  condition: RowCondition | null,
): Promise<void> {
  if (table.analyzedRows < MIN_ROWS_TO_SAMPLE) return;
  const searches = listContainsConditions(condition).filter(({ field }) => hasSearchIndex(table, field));
  for (const search of searches.slice(0, MAX_SAMPLED_CONDITIONS)) {
    const characters = Array.from(search.value.slice(0, SEARCHED_CHARACTERS));
    const groups = trigramPositions(characters);
    if (groups.length < 2) continue;
    const texts = groups.map((at) => characters.slice(at, at + 3).join(''));
    const shares = await sampleTrigramShares(sql, table, search.field, texts);
    const rare = groups.filter((_, index) => (shares[index] ?? 1) <= MAX_RARE_SHARE);
    if (rare.length > 0 && rare.length < groups.length) search.rareParts = joinTrigrams(characters, rare);
  }
}
