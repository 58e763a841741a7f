import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, SteppedChoiceSource } from '../../choices';
import { encodePathPart, graphPage } from './graph-parts';

/** Columns of SharePoint that values are not written to by their names. */
const SYSTEM_COLUMNS = new Set(['ContentType', 'Attachments']);

const hasFacet = (column: unknown, facet: string): boolean => getAtPath(column, facet) !== undefined;

/** The kind of a column: it is the only one of several fields that is there; null: nobody can write it. */
function columnKind(column: unknown): string | null {
  if (getAtPath(column, 'readOnly') === true) return null;
  if (hasFacet(column, 'choice')) return getAtPath(column, 'choice.displayAs') === 'checkBoxes' ? 'json' : 'options';
  if (hasFacet(column, 'number') || hasFacet(column, 'currency')) return 'number';
  if (hasFacet(column, 'boolean')) return 'boolean';
  if (hasFacet(column, 'dateTime')) return getAtPath(column, 'dateTime.format') === 'dateOnly' ? 'date' : 'timestamp';
  if (hasFacet(column, 'lookup') || hasFacet(column, 'personOrGroup')) return 'lookup';
  return hasFacet(column, 'text') ? 'text' : null;
}

const listColumn: ColumnPaths = {
  type: 'kind',
  types: {
    text: 'text',
    number: 'number',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamp',
    options: 'options',
    json: 'json',
    lookup: 'text',
  },
  isRequired: { when: 'required' },
  options: { at: ['choice.choices'], value: '', label: [''] },
};

/** The columns of a list that can be written. https://learn.microsoft.com/graph/api/resources/columndefinition */
export const listColumnSource: SteppedChoiceSource = {
  dependsOn: ['siteId', 'listId'],
  *steps({ values: { siteId = '', listId = '' }, page }) {
    const path = `/sites/${encodePathPart(siteId)}/lists/${encodePathPart(listId)}/columns`;
    const { items, next } = yield* graphPage({ path }, page);
    const known = items.flatMap((column) => {
      const [name, kind] = [String(getAtPath(column, 'name')), columnKind(column)];
      if (kind === null || SYSTEM_COLUMNS.has(name)) return [];
      // Links to people and to other lists are written by the id of what they lead to.
      return [{ ...(column as object), kind, name: kind === 'lookup' ? `${name}LookupId` : name }];
    });
    return { items: known, next };
  },
  value: 'name',
  label: ['displayName'],
  hint: 'name',
  column: listColumn,
};
