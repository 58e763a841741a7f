import type { ConnectorChoiceSource } from '../../choices';
import { HOST_NAME_PATTERN, HOST_NAME_RULE, type ConnectorDefinition } from '../../connector';
import type { DataOperation } from '../../operation';
import { baserowLimits, baserowRowOperations, baserowTable } from './baserow-rows';

/** Operations that list what parameters are picked from. https://api.baserow.io/api/redoc/ */
const baserowListOperations: DataOperation[] = [
  {
    id: 'tables.list',
    title: 'List tables',
    help: 'Those that the token may use.',
    limits: baserowLimits,
    method: 'GET',
    path: '/database/tables/all-tables/',
    items: '',
    example: [{ id: 1, name: 'People', order: 1, database_id: 1 }],
  },
  {
    id: 'fields.list',
    title: 'List fields of a table',
    help: 'With their types and options.',
    limits: baserowLimits,
    method: 'GET',
    path: '/database/fields/table/{table}/',
    inPath: { table: baserowTable },
    items: '',
    example: [
      { id: 12, name: 'Name', type: 'text', primary: true, read_only: false },
      { id: 13, name: 'State', type: 'single_select', read_only: false, select_options: [{ id: 1, value: 'New' }] },
    ],
  },
];

/** https://baserow.io/docs/apis/rest-api: the types of fields that have a type of ours; null: they are not written. */
const COLUMN_TYPES = {
  number: 'number',
  rating: 'number',
  boolean: 'boolean',
  date: 'date',
  single_select: 'options',
  formula: null,
  lookup: null,
  count: null,
  rollup: null,
  autonumber: null,
  created_on: null,
  last_modified: null,
  created_by: null,
  last_modified_by: null,
} as const;

const ofTable = { parametersFrom: { table: 'table' } };

const baserowChoices: Record<string, ConnectorChoiceSource> = {
  tables: { operation: 'tables.list', value: 'id', label: ['name'] },
  columns: {
    ...ofTable,
    operation: 'fields.list',
    value: 'name',
    label: ['name'],
    column: {
      type: 'type',
      types: COLUMN_TYPES,
      options: { at: ['select_options'], value: 'value', label: ['value'] },
    },
  },
  rows: {
    ...ofTable,
    parameters: { limit: 100 },
    operation: 'rows.list',
    items: '',
    value: 'id',
    label: ['Name', 'id'],
  },
};

export const baserowConnector: ConnectorDefinition = {
  id: 'baserow',
  name: 'Baserow',
  description: 'Rows of tables, in the cloud or on a server of your own.',
  synonyms: ['database', 'table', 'spreadsheet', 'row', 'no-code'],
  flow: 'token',
  apiUrl: 'https://{host}/api',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host',
      hint: 'Empty: api.baserow.io',
      required: false,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
      fallback: 'api.baserow.io',
    },
  ],
  // https://baserow.io/user-docs/personal-api-tokens
  token: {
    title: 'Database token',
    setup: 'In Baserow open "My settings" > "Database tokens", and create a token with the permissions that it needs.',
    fields: [
      {
        name: 'token',
        title: 'Database token',
        hint: '32 characters',
        isSecret: true,
        pattern: /^[\w-]{15,200}$/,
        rule: 'must be a database token of Baserow',
      },
    ],
    headers: { Authorization: 'Token {token}' },
  },
  setup: 'Nothing has to be registered: a user has database tokens.',
  probe: { path: '/database/tables/all-tables/' },
  // Of the cloud.
  limits: { concurrent: 10, source: 'https://baserow.io/user-docs/database-api' },
  choices: baserowChoices,
  operations: [...baserowRowOperations, ...baserowListOperations],
};
