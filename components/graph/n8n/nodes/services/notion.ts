import { textOf, valueOf } from '../../conversion';
import type { Bag } from '../../file';
import { isExpression, jsonValue, plain } from '../../text';
import { listed, same, service, type CallOf, type Reader } from './service';

/** Where each kind of property of Notion has its value in n8n, and how Notion takes it. */
const PROPERTIES: Readonly<Record<string, readonly [string, (value: unknown) => unknown]>> = {
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

function propertiesOf(read: Reader): Record<string, unknown> {
  const entries = read.rows('propertiesUi.propertyValues').flatMap((row): [string, unknown][] => {
    const [name = '', kind = ''] = String(row['key'] ?? '').split('|');
    const property = Object.hasOwn(PROPERTIES, kind) ? PROPERTIES[kind] : undefined;
    if (!property || name === '' || name === '__proto__' || isExpression(name)) {
      read.todo('Enter all of its properties.');
      return [];
    }
    const [field, shape] = property;
    const given = row[field] ?? row['title'] ?? (kind === 'checkbox' ? false : '');
    const isRange = kind === 'date' && row['range'] === true;
    const value = isRange ? undefined : valueOf(given, read.expressions);
    const [start, end] = ['dateStart', 'dateEnd'].map((one) => valueOf(row[one] ?? '', read.expressions));
    return [[plain(name), isRange ? { date: { start, end } } : shape(value)]];
  });
  return Object.fromEntries(entries);
}

/** Conditions that take no value, and what Notion takes in its place. */
const WITHOUT_VALUE: Readonly<Record<string, unknown>> = {
  is_empty: true,
  is_not_empty: true,
  past_week: {},
  past_month: {},
  past_year: {},
  next_week: {},
  next_month: {},
  next_year: {},
};
const FILTERED = new Set([...Object.keys(PROPERTIES), 'people', 'files', 'created_by', 'last_edited_by']);
const TIMES = new Set(['created_time', 'last_edited_time']);

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A condition of n8n as a filter of Notion; undefined: it has none. */
function conditionOf(row: Bag, read: Reader): Record<string, unknown> | undefined {
  const [name = '', kind = ''] = String(row['key'] ?? '').split('|');
  const condition = String(row['condition'] ?? '');
  if (name === '' || isExpression(name) || !/^[a-z_]+$/.test(condition)) return undefined;
  const given =
    row[`${camelCase(kind)}Value`] ?? row[camelCase(kind)] ?? row['date'] ?? (kind === 'checkbox' ? false : '');
  const value = Object.hasOwn(WITHOUT_VALUE, condition) ? WITHOUT_VALUE[condition] : valueOf(given, read.expressions);
  if (TIMES.has(kind)) return { timestamp: kind, [kind]: { [condition]: value } };
  return FILTERED.has(kind) ? { property: plain(name), [kind]: { [condition]: value } } : undefined;
}

/** The filter of a query: that of a text of JSON, or conditions. */
function filterOf(read: Reader): unknown {
  const json = read.get('filterJson');
  if (read.get('filterType') === 'json' && typeof json === 'string') return jsonValue(json, read.expressions)?.value;
  if (read.get('filterType') === 'none') return undefined;
  const rows = read.rows('filters.conditions').slice(0, 50);
  const conditions = rows.map((row) => conditionOf(row, read));
  const known = conditions.filter((one) => one !== undefined);
  if (known.length < rows.length || (rows.length === 0 && read.get('filterType') === 'manual'))
    read.todo('Write all of its conditions as a filter of Notion.');
  const [only] = known;
  if (known.length < 2) return only;
  return { [read.get('matchType') === 'allFilters' ? 'and' : 'or']: known };
}

const blockText = (read: Reader): string =>
  read
    .rows('blockUi.blockValues')
    .map(({ textContent }) => textOf(textContent, read.expressions) ?? '')
    .filter((text) => text !== '')
    .join('\n');

const pages: CallOf = (read) => {
  const { parameters, ...rest } = read.pages('results');
  const database = read.text('databaseId');
  return { ...rest, operation: 'databases.query', parameters: { database, filter: filterOf(read), ...parameters } };
};

export const notion = service({
  connector: 'notion',
  name: 'Notion',
  resource: 'page',
  operation: { page: 'create', databasePage: 'create', database: 'get', block: 'append', user: 'getAll' },
  hint: 'n8n simplifies what Notion gives: here properties are as in Notion.',
  calls: {
    'databasePage.create': (read) => {
      const title = read.text('title');
      const titled = title === undefined ? {} : { title: { title: [{ text: { content: title } }] } };
      const text = blockText(read);
      return {
        operation: 'pages.create',
        parameters: {
          parent: read.text('databaseId'),
          isInDatabase: true,
          properties: { ...titled, ...propertiesOf(read) },
          text: text === '' ? undefined : text,
        },
      };
    },
    'databasePage.update': (read) => ({
      operation: 'pages.update',
      parameters: { page: read.text('pageId'), properties: propertiesOf(read) },
    }),
    'databasePage.getAll': pages,
    'databasePage.get': same('pages.get', { page: 'pageId' }),
    'database.get': same('databases.get', { database: 'databaseId' }),
    'page.create': (read) => ({
      operation: 'pages.create',
      parameters: {
        parent: read.text('pageId'),
        isInDatabase: false,
        properties: { title: { title: [{ text: { content: read.text('title') ?? '' } }] } },
        text: blockText(read) || undefined,
      },
    }),
    'page.archive': (read) => ({
      operation: 'pages.update',
      parameters: { page: read.text('pageId'), isArchived: true },
    }),
    'page.get': same('pages.get', { page: 'pageId' }),
    'page.search': listed('search', 'results', { query: 'text' }),
    'block.append': (read) => ({
      operation: 'blocks.append_text',
      parameters: { block: read.text('blockId'), text: blockText(read) },
    }),
    'block.getAll': listed('blocks.list', 'results', { block: 'blockId' }),
    'user.getAll': listed('users.list', 'results'),
  },
});
