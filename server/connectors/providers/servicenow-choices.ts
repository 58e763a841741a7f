import type { ColumnValueType } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, SteppedChoiceSource } from '../choices';
import type { ApiRequest, ApiResponse } from '../operation';

const SERVICENOW_PAGE = 100;
/** A table inherits fields from those above it. */
const MAX_TABLE_DEPTH = 10;

// https://www.servicenow.com/docs/bundle/zurich-platform-administration/page/administer/reference-pages/reference/r_FieldTypes.html
const SERVICENOW_TYPES: Readonly<Record<string, ColumnValueType | null>> = {
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  percent_complete: 'number',
  glide_date: 'date',
  collection: null,
};

/** A text in an encoded query, where `^` begins the next condition. */
const queryText = (text: string): string => text.replaceAll('^', ' ');
const listValues = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;

/** Records of one table, searched and in pages. `table`: the parameter names it. */
const recordChoices = (
  table: { name: string } | 'table',
  fields: readonly string[],
  searched: readonly string[],
): Pick<SteppedChoiceSource, 'dependsOn' | 'searches' | 'steps' | 'value'> => ({
  // A search in fields that a table does not have would list everything: the labels are searched instead.
  ...(table === 'table' ? { dependsOn: ['table'] } : { searches: true as const }),
  *steps({ values, search, page }) {
    const text = queryText(search);
    const conditions =
      search === '' || table === 'table' ? [] : [searched.map((field) => `${field}LIKE${text}`).join('^OR')];
    const query = {
      sysparm_query: [...conditions, 'ORDERBYDESCsys_updated_on'].join('^'),
      sysparm_fields: fields.join(','),
      sysparm_limit: SERVICENOW_PAGE,
      sysparm_offset: page ?? 0,
    };
    const name = table === 'table' ? (values['table'] ?? '') : table.name;
    const items = listValues(getAtPath((yield { path: tablePath(name), query }).body, 'result'));
    return { items, next: items.length === SERVICENOW_PAGE ? String(Number(page ?? 0) + SERVICENOW_PAGE) : null };
  },
  value: 'sys_id',
});

/** The names of a table and of those that it extends. */
function* readTableChain(table: string): Generator<ApiRequest, string[], ApiResponse> {
  const chain = [table];
  while (chain.length < MAX_TABLE_DEPTH) {
    const query = { sysparm_query: `name=${queryText(chain.at(-1) ?? '')}`, sysparm_fields: 'super_class.name' };
    const { body } = yield { path: '/table/sys_db_object', query };
    const above = getAtPath(body, 'result.0.super_class.name');
    if (typeof above !== 'string' || above === '' || chain.includes(above)) break;
    chain.push(above);
  }
  return chain;
}

const fieldsOfTable = (
  table: { name: string } | 'table',
): Pick<SteppedChoiceSource, 'dependsOn' | 'steps' | 'value' | 'label' | 'hint'> => ({
  ...(table === 'table' ? { dependsOn: ['table'] } : {}),
  *steps({ values, page }) {
    const chain = yield* readTableChain(table === 'table' ? (values['table'] ?? '') : table.name);
    const query = {
      sysparm_query: `nameIN${chain.join(',')}^elementISNOTEMPTY^ORDERBYcolumn_label`,
      sysparm_fields: 'element,column_label,internal_type,mandatory,read_only',
      sysparm_limit: SERVICENOW_PAGE,
      sysparm_offset: page ?? 0,
      sysparm_exclude_reference_link: true,
    };
    const found = listValues(getAtPath((yield { path: '/table/sys_dictionary', query }).body, 'result'));
    const items = found.map((field) => ({
      name: getAtPath(field, 'element'),
      label: getAtPath(field, 'column_label'),
      type: getAtPath(field, 'internal_type'),
      // ServiceNow writes all values as texts.
      isRequired: getAtPath(field, 'mandatory') === 'true',
      isReadOnly: getAtPath(field, 'read_only') === 'true',
    }));
    return { items, next: found.length === SERVICENOW_PAGE ? String(Number(page ?? 0) + SERVICENOW_PAGE) : null };
  },
  value: 'name',
  label: ['label', 'name'],
  hint: 'name',
});

/** What lists the choices of ServiceNow, all by its Table API. */
export const servicenowChoices: Record<string, ConnectorChoiceSource> = {
  tables: {
    ...recordChoices({ name: 'sys_db_object' }, ['name', 'label'], ['label', 'name']),
    value: 'name',
    label: ['label'],
    hint: 'name',
  },
  records: {
    // A table without one of these fields leaves it out of the answer.
    ...recordChoices(
      'table',
      ['sys_id', 'number', 'name', 'short_description'],
      ['number', 'name', 'short_description'],
    ),
    label: ['{number}: {short_description}', 'name', 'number', 'short_description'],
  },
  incidents: {
    ...recordChoices({ name: 'incident' }, ['sys_id', 'number', 'short_description'], ['number', 'short_description']),
    label: ['{number}: {short_description}', 'number'],
  },
  users: {
    ...recordChoices({ name: 'sys_user' }, ['sys_id', 'name', 'email'], ['name', 'email']),
    label: ['name'],
    hint: 'email',
  },
  incident_states: {
    *steps() {
      const query = {
        sysparm_query: 'nameINincident,task^element=state^inactive=false^ORDERBYsequence',
        sysparm_fields: 'value,label',
      };
      return { items: listValues(getAtPath((yield { path: '/table/sys_choice', query }).body, 'result')) };
    },
    value: 'value',
    label: ['label'],
  },
  fields: fieldsOfTable('table'),
  incident_fields: fieldsOfTable({ name: 'incident' }),
  columns: {
    ...fieldsOfTable('table'),
    unless: 'isReadOnly',
    column: { type: 'type', types: SERVICENOW_TYPES, isRequired: { when: 'isRequired' } },
  },
};
