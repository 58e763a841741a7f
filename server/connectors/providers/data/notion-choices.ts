import type { ColumnValueType } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';
import { readNotionTitle } from './notion-properties';

// https://developers.notion.com/reference/property-object: what is computed cannot be written.
const NOTION_TYPES: Readonly<Record<string, ColumnValueType | null>> = {
  number: 'number',
  checkbox: 'boolean',
  date: 'date',
  select: 'options',
  status: 'options',
  multi_select: 'optionList',
  people: 'json',
  relation: 'json',
  files: 'json',
  button: null,
  created_by: null,
  created_time: null,
  formula: null,
  last_edited_by: null,
  last_edited_time: null,
  rollup: null,
  unique_id: null,
  verification: null,
};

const databaseColumns = (database: string): OperationChoiceSource => ({
  operation: 'databases.get',
  items: 'properties',
  parametersFrom: { database },
  value: 'key',
  label: ['key'],
  hint: 'type',
  column: {
    type: 'type',
    types: NOTION_TYPES,
    options: {
      at: ['select.options', 'status.options', 'multi_select.options'],
      value: 'name',
      label: ['name'],
    },
  },
});

/** Pages or databases that the integration may use, last changed first. */
const foundObjects = (
  dependsOn: readonly string[],
  readKind: (values: Readonly<Record<string, string>>) => 'page' | 'database',
): ConnectorChoiceSource => ({
  dependsOn,
  searches: true,
  *steps({ values, search, page }) {
    const value = {
      ...(search === '' ? {} : { query: search }),
      filter: { property: 'object', value: readKind(values) },
      page_size: 100,
      ...(page === null ? {} : { start_cursor: page }),
    };
    const { body } = yield { method: 'POST', path: '/search', body: { as: 'json', value } };
    const results = getAtPath(body, 'results');
    const next = getAtPath(body, 'next_cursor');
    return {
      items: (Array.isArray(results) ? (results as unknown[]) : []).map((found) => ({
        id: getAtPath(found, 'id'),
        title: readNotionTitle(found),
        editedAt: getAtPath(found, 'last_edited_time'),
      })),
      next: typeof next === 'string' ? next : null,
    };
  },
  value: 'id',
  label: ['title'],
  hint: 'editedAt',
});

/** What lists the choices of Notion. https://developers.notion.com/reference/post-search */
export const notionChoices: Record<string, ConnectorChoiceSource> = {
  databases: foundObjects([], () => 'database'),
  pages: foundObjects([], () => 'page'),
  parents: foundObjects(['isInDatabase?'], ({ isInDatabase }) => (isInDatabase === 'false' ? 'page' : 'database')),
  users: { operation: 'users.list', parameters: { limit: 100 }, value: 'id', label: ['name'], hint: 'person.email' },
  page_properties: {
    operation: 'pages.get',
    items: 'properties',
    parametersFrom: { page: 'page' },
    value: 'id',
    label: ['key'],
    hint: 'type',
  },
  properties: {
    operation: 'databases.get',
    items: 'properties',
    parametersFrom: { database: 'database' },
    value: 'key',
    label: ['key'],
    hint: 'type',
  },
  property_options: {
    dependsOn: ['database', 'property'],
    *steps({ values: { database = '', property = '' } }) {
      const { body } = yield { path: `/databases/${encodeURIComponent(database)}` };
      const properties = (getAtPath(body, 'properties') ?? {}) as Record<string, unknown>;
      const found = Object.hasOwn(properties, property) ? properties[property] : undefined;
      if (getAtPath(found, 'type') === 'checkbox') return { items: [{ name: 'true' }, { name: 'false' }] };
      const options = ['select', 'status', 'multi_select'].map((type) => getAtPath(found, `${type}.options`));
      return { items: (options.find((list) => Array.isArray(list)) ?? []) as unknown[] };
    },
    value: 'name',
    label: ['name'],
  },
  columns: databaseColumns('parent'),
  changed_columns: databaseColumns('database'),
};
