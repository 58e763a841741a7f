import { parameterText, parameterValue } from '../../conversion';
import type { N8nObject } from '../../file';
import { isN8nExpression, convertJsonText, escapeBraces } from '../../n8n-expressions';
import {
  pagedListCall,
  sameParametersCall,
  serviceConverter,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** Where each kind of property of Notion has its value in n8n, and how Notion takes it. */
const NOTION_PROPERTIES: Readonly<Record<string, readonly [string, (value: unknown) => unknown]>> = {
  title: ['title', (content) => ({ title: [{ text: { content } }] })],
  rich_text: ['textContent', (content) => ({ rich_text: [{ text: { content } }] })],
  number: ['numberValue', (number) => ({ number })],
  select: ['selectValue', (name) => ({ select: { name } })],
  status: ['statusValue', (name) => ({ status: { name } })],
  multi_select: ['multiSelectValue', (names) => ({ multi_select: [names].flat().map((name) => ({ name })) })],
  date: ['date', (start) => ({ date: { start } })],
  url: ['urlValue', (url) => ({ url })],
  email: ['emailValue', (email) => ({ email })],
  phone_number: ['phoneValue', (phone) => ({ phone_number: phone })],
  checkbox: ['checkboxValue', (checkbox) => ({ checkbox })],
  people: ['peopleValue', (ids) => ({ people: [ids].flat().map((id) => ({ id })) })],
  relation: ['relationValue', (ids) => ({ relation: [ids].flat().map((id) => ({ id })) })],
};

function notionProperties(read: ParameterReader): Record<string, unknown> {
  const entries = read.rows('propertiesUi.propertyValues').flatMap((row): [string, unknown][] => {
    const [name = '', kind = ''] = String(row['key'] ?? '').split('|');
    const property = Object.hasOwn(NOTION_PROPERTIES, kind) ? NOTION_PROPERTIES[kind] : undefined;
    if (!property || name === '' || name === '__proto__' || isN8nExpression(name)) {
      read.addTodo('Enter all of its properties.');
      return [];
    }
    const [field, shape] = property;
    const given = row[field] ?? row['title'] ?? (kind === 'checkbox' ? false : '');
    const isRange = kind === 'date' && row['range'] === true;
    const value = isRange ? undefined : parameterValue(given, read.expressions);
    const [start, end] = ['dateStart', 'dateEnd'].map((one) => parameterValue(row[one] ?? '', read.expressions));
    return [[escapeBraces(name), isRange ? { date: { start, end } } : shape(value)]];
  });
  return Object.fromEntries(entries);
}

/** Conditions that take no value, and what Notion takes in its place. */
const VALUELESS_CONDITIONS: Readonly<Record<string, unknown>> = {
  is_empty: true,
  is_not_empty: true,
  past_week: {},
  past_month: {},
  past_year: {},
  next_week: {},
  next_month: {},
  next_year: {},
};
const FILTERABLE_PROPERTIES = new Set([
  ...Object.keys(NOTION_PROPERTIES),
  'people',
  'files',
  'created_by',
  'last_edited_by',
]);
const NOTION_TIME_FIELDS = new Set(['created_time', 'last_edited_time']);

const toCamelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A condition of n8n as a filter of Notion; undefined: it has none. */
function notionCondition(row: N8nObject, read: ParameterReader): Record<string, unknown> | undefined {
  const [name = '', kind = ''] = String(row['key'] ?? '').split('|');
  const condition = String(row['condition'] ?? '');
  if (name === '' || isN8nExpression(name) || !/^[a-z_]+$/.test(condition)) return undefined;
  const given =
    row[`${toCamelCase(kind)}Value`] ?? row[toCamelCase(kind)] ?? row['date'] ?? (kind === 'checkbox' ? false : '');
  const value = Object.hasOwn(VALUELESS_CONDITIONS, condition)
    ? VALUELESS_CONDITIONS[condition]
    : parameterValue(given, read.expressions);
  if (NOTION_TIME_FIELDS.has(kind)) return { timestamp: kind, [kind]: { [condition]: value } };
  return FILTERABLE_PROPERTIES.has(kind) ? { property: escapeBraces(name), [kind]: { [condition]: value } } : undefined;
}

/** The filter of a query: that of a text of JSON, or conditions. */
function notionFilter(read: ParameterReader): unknown {
  const json = read.get('filterJson');
  if (read.get('filterType') === 'json' && typeof json === 'string')
    return convertJsonText(json, read.expressions)?.value;
  if (read.get('filterType') === 'none') return undefined;
  const rows = read.rows('filters.conditions').slice(0, 50);
  const conditions = rows.map((row) => notionCondition(row, read));
  const known = conditions.filter((one) => one !== undefined);
  if (known.length < rows.length || (rows.length === 0 && read.get('filterType') === 'manual'))
    read.addTodo('Write all of its conditions as a filter of Notion.');
  const [only] = known;
  if (known.length < 2) return only;
  return { [read.get('matchType') === 'allFilters' ? 'and' : 'or']: known };
}

const notionBlockText = (read: ParameterReader): string =>
  read
    .rows('blockUi.blockValues')
    .map(({ textContent }) => parameterText(textContent, read.expressions) ?? '')
    .filter((text) => text !== '')
    .join('\n');

const queryNotionPages: ConnectorCallBuilder = (read) => {
  const { parameters, ...rest } = read.pages('results');
  const database = read.text('databaseId');
  return { ...rest, operation: 'databases.query', parameters: { database, filter: notionFilter(read), ...parameters } };
};

export const convertNotion = serviceConverter({
  connector: 'notion',
  name: 'Notion',
  resource: 'page',
  operation: { page: 'create', databasePage: 'create', database: 'get', block: 'append', user: 'getAll' },
  hint: 'n8n simplifies what Notion gives: here properties are as in Notion.',
  calls: {
    'databasePage.create': (read) => {
      const title = read.text('title');
      const titled = title === undefined ? {} : { title: { title: [{ text: { content: title } }] } };
      const text = notionBlockText(read);
      return {
        operation: 'pages.create',
        parameters: {
          parent: read.text('databaseId'),
          isInDatabase: true,
          properties: { ...titled, ...notionProperties(read) },
          text: text === '' ? undefined : text,
        },
      };
    },
    'databasePage.update': (read) => ({
      operation: 'pages.update',
      parameters: { page: read.text('pageId'), properties: notionProperties(read) },
    }),
    'databasePage.getAll': queryNotionPages,
    'databasePage.get': sameParametersCall('pages.get', { page: 'pageId' }),
    'database.getAll': pagedListCall('databases.list', 'results'),
    'database.search': pagedListCall('databases.list', 'results', { query: 'text' }),
    'database.get': sameParametersCall('databases.get', { database: 'databaseId' }),
    'page.create': (read) => ({
      operation: 'pages.create',
      parameters: {
        parent: read.text('pageId'),
        isInDatabase: false,
        properties: { title: { title: [{ text: { content: read.text('title') ?? '' } }] } },
        text: notionBlockText(read) || undefined,
      },
    }),
    'page.archive': (read) => ({
      operation: 'pages.update',
      parameters: { page: read.text('pageId'), isArchived: true },
    }),
    'page.get': sameParametersCall('pages.get', { page: 'pageId' }),
    'page.search': pagedListCall('search', 'results', { query: 'text' }),
    'block.append': (read) => ({
      operation: 'blocks.append_text',
      parameters: { block: read.text('blockId'), text: notionBlockText(read) },
    }),
    'block.getAll': pagedListCall('blocks.list', 'results', { block: 'blockId' }),
    'user.getAll': pagedListCall('users.list', 'results'),
  },
});
