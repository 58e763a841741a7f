import { isDeepStrictEqual } from 'node:util';
import { KIND_NAMES, Refusal, type Given } from './kinds';

const MAX_SHOWN = 60;

/** What became of a value, in words. */
function outcomeOf(got: unknown, given: unknown): string {
  if (got instanceof Refusal) return `refused, \`${got.code}\`: ${withoutNames(got.reason)}`;
  if (isDeepStrictEqual(got, given)) return 'same';
  if (got === null || got === undefined) return 'null';
  if (got === '') return 'the empty text';
  if (typeof given !== 'string' && got === JSON.stringify(given)) return 'its text';
  const shown = JSON.stringify(got);
  return `\`${shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown}\``;
}

/** Names of columns and tables of the test differ. */
const withoutNames = (reason: string): string =>
  reason
    .replaceAll(/rows\[0\]\.k\d+/g, 'rows[0].column')
    .replaceAll(/`shop`\.`\w+`/g, '`table`')
    .replace(/[.:]?$/, '.');

/** The row of a place: the kinds that it does not give back as they were, by what becomes of them. */
export function rowOf(place: string, back: Given, values: Given): string {
  const outcomes = new Map<string, string[]>();
  for (const kind of KIND_NAMES) {
    const outcome = outcomeOf(back[kind], values[kind]);
    if (outcome !== 'same') outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), kind]);
  }
  const parts = [...outcomes].map(([outcome, kinds]) => `${kinds.join(', ')}: ${outcome}`);
  return `| ${place} | ${parts.join('<br>')} |\n`;
}
