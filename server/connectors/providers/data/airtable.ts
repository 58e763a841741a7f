import { listedParameter } from '../../choices';
import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging, type OperationSteps } from '../../operation';
import {
  countParameter,
  booleanParameter,
  jsonListParameter,
  pairsParameter,
  multilineParameter,
  lineParameter,
  lineListParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://airtable.com/developers/web/api/list-records
const airtableTokenPaging: ConnectorPaging = { kind: 'token', at: 'offset', query: 'offset' };
const airtableBaseId = listedParameter(
  lineParameter('Base').describe('Id of the base, e.g. appLkNDICXNqxSDhG; it is in its address'),
  'bases',
);
const airtableTableName = listedParameter(lineParameter('Table').describe('Name or id of the table'), 'tables', [
  'base',
]);
const airtableRecordId = lineParameter('Record').describe('Id of the record, e.g. rec560UJdUtocSouk');
const airtableTypecastFlag = booleanParameter('Convert texts')
  .optional()
  .describe('Airtable converts texts to the type of the field');
const airtableFieldValues = pairsParameter('Fields').describe('Name of a field and its value');

// https://airtable.com/developers/web/api/rate-limits
const airtableRateLimit = '5 calls a second for each base.';
const airtableRecordExample = {
  id: 'rec560UJdUtocSouk',
  createdTime: '2026-01-31T08:15:30.000Z',
  fields: { Name: 'Ada', Status: 'New' },
};

/** One call accepts at most this many records. */
const MAX_BATCH_RECORDS = 10;
const splitIntoBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_BATCH_RECORDS) }, (_, index) =>
    items.slice(index * MAX_BATCH_RECORDS, (index + 1) * MAX_BATCH_RECORDS),
  );

const airtableTablePath = (inBase: string, inTable: string) =>
  `/${encodeURIComponent(inBase)}/${encodeURIComponent(inTable)}`;

/** Sends records in batches of ten; returns those of all answers. */
function* sendRecordBatches(
  method: 'POST' | 'PATCH',
  path: string,
  records: readonly Record<string, unknown>[],
  others: Record<string, unknown>,
): OperationSteps {
  const all: unknown[] = [];
  for (const batch of splitIntoBatches(records)) {
    const { body } = yield { method, path, body: { as: 'json', value: { records: batch, ...others } } };
    const answered = getAtPath(body, 'records');
    if (Array.isArray(answered)) all.push(...(answered as unknown[]));
  }
  return { records: all };
}

export const airtableConnector: ConnectorDefinition = {
  id: 'airtable',
  name: 'Airtable',
  description: 'Records, tables and bases.',
  synonyms: ['database', 'table', 'spreadsheet', 'record', 'base'],
  flow: 'authorization_code',
  // https://airtable.com/developers/web/api/oauth-reference: refresh tokens change at every use.
  authorizeUrl: 'https://airtable.com/oauth2/v1/authorize',
  tokenUrl: 'https://airtable.com/oauth2/v1/token',
  apiUrl: 'https://api.airtable.com/v0',
  // https://airtable.com/developers/web/api/scopes
  scopes: {
    'data.records:read': 'data.records:read',
    'data.records:write': 'data.records:write',
    'schema.bases:read': 'schema.bases:read',
  },
  optionalScopes: { 'data.recordComments:write': 'data.recordComments:write' },
  clientAuthentication: 'basic',
  token: {
    title: 'Personal access token',
    setup:
      'At airtable.com/create/tokens create a token with data.records:read, data.records:write and schema.bases:read, and choose its bases.',
    fields: [
      {
        name: 'token',
        title: 'Personal access token',
        hint: 'Begins with pat',
        isSecret: true,
        pattern: /^[\w.-]{10,500}$/,
        rule: 'must be a token of Airtable, such as pat….…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup:
    'At airtable.com/create/oauth register an integration with the redirect URL and the scopes, and create a client secret.',
  probe: { path: '/meta/whoami' },
  choices: {
    bases: { operation: 'bases.list', value: 'id', label: ['name'] },
    tables: {
      operation: 'tables.list',
      parametersFrom: { base: 'base' },
      value: 'id',
      label: ['name'],
      hint: 'description',
    },
  },
  operations: [
    {
      id: 'records.list',
      title: 'List records',
      help: 'By a formula or a view, sorted, with all or some fields.',
      limits: airtableRateLimit,
      method: 'GET',
      path: '/{base}/{table}',
      inPath: { base: airtableBaseId, table: airtableTableName },
      inQuery: {
        formula: multilineParameter('Formula', 16_000)
          .optional()
          .describe('Only records for which it is true, e.g. {Status} = "New"'),
        view: lineParameter('View').optional().describe('Name or id of a view'),
        limit: countParameter('Records', 10_000).optional().describe('Records of all pages together'),
        pageSize: countParameter('Items a page', 100).optional().describe('At most 100'),
      },
      names: { formula: 'filterByFormula', limit: 'maxRecords' },
      items: 'records',
      paging: airtableTokenPaging,
      example: { records: [airtableRecordExample], offset: 'itrEN2TCbrcSN2BMs/rec560UJdUtocSouk' },
      poll: {
        title: 'New record',
        words: 'airtable trigger row record created',
        // Times of records are whole seconds: those of the last second are asked for again.
        parameters: {
          formula: `{{ cursor ? "NOT(IS_BEFORE(CREATED_TIME(), '" & cursor & "'))" : null }}`,
          allPages: true,
        },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.createdTime)[-1]',
      },
    },
    {
      id: 'records.get',
      title: 'Get a record',
      help: 'One record by its id.',
      limits: airtableRateLimit,
      method: 'GET',
      path: '/{base}/{table}/{record}',
      inPath: { base: airtableBaseId, table: airtableTableName, record: airtableRecordId },
      example: airtableRecordExample,
    },
    {
      id: 'records.create',
      title: 'Create a record',
      help: 'One record from names and values of fields.',
      limits: airtableRateLimit,
      method: 'POST',
      path: '/{base}/{table}',
      inPath: { base: airtableBaseId, table: airtableTableName },
      inBody: { fields: airtableFieldValues, typecast: airtableTypecastFlag },
      example: airtableRecordExample,
    },
    defineSteppedOperation({
      id: 'records.create_many',
      title: 'Create records',
      help: 'A list of objects, in calls of ten records each.',
      limits: airtableRateLimit,
      parameters: {
        base: airtableBaseId,
        table: airtableTableName,
        rows: jsonListParameter('Records', 1000).describe('Objects with names and values of fields'),
        typecast: airtableTypecastFlag,
      },
      *steps({ base: inBase, table: inTable, rows, typecast: converts }) {
        const records = rows.map((fields) => ({ fields }));
        return yield* sendRecordBatches('POST', airtableTablePath(inBase, inTable), records, { typecast: converts });
      },
      example: { records: [airtableRecordExample] },
    }),
    {
      id: 'records.update',
      title: 'Update a record',
      help: 'Changes the fields that are given; others stay.',
      limits: airtableRateLimit,
      method: 'PATCH',
      path: '/{base}/{table}/{record}',
      inPath: { base: airtableBaseId, table: airtableTableName, record: airtableRecordId },
      inBody: { fields: airtableFieldValues, typecast: airtableTypecastFlag },
      example: airtableRecordExample,
    },
    defineSteppedOperation({
      id: 'records.upsert',
      title: 'Create or update records',
      help: 'Updates the record with the same values in the key fields, or creates it.',
      limits: airtableRateLimit,
      parameters: {
        base: airtableBaseId,
        table: airtableTableName,
        rows: jsonListParameter('Records', 1000).describe('Objects with names and values of fields'),
        keys: lineListParameter('Key fields').describe('Names of up to three fields that identify a record'),
        typecast: airtableTypecastFlag,
      },
      // https://airtable.com/developers/web/api/update-multiple-records
      *steps({ base: inBase, table: inTable, rows, keys, typecast: converts }) {
        const records = rows.map((fields) => ({ fields }));
        const others = { performUpsert: { fieldsToMergeOn: keys }, typecast: converts };
        return yield* sendRecordBatches('PATCH', airtableTablePath(inBase, inTable), records, others);
      },
      example: { records: [airtableRecordExample] },
    }),
    {
      id: 'records.delete',
      title: 'Delete a record',
      help: 'It can be restored from the trash of the base for some days.',
      limits: airtableRateLimit,
      method: 'DELETE',
      path: '/{base}/{table}/{record}',
      inPath: { base: airtableBaseId, table: airtableTableName, record: airtableRecordId },
      example: { id: 'rec560UJdUtocSouk', deleted: true },
    },
    {
      id: 'bases.list',
      title: 'List bases',
      help: 'Bases that the token may read.',
      limits: airtableRateLimit,
      method: 'GET',
      path: '/meta/bases',
      items: 'bases',
      paging: airtableTokenPaging,
      example: { bases: [{ id: 'appLkNDICXNqxSDhG', name: 'Customers', permissionLevel: 'create' }] },
    },
    {
      id: 'tables.list',
      title: 'List tables of a base',
      help: 'With their fields and views.',
      limits: airtableRateLimit,
      method: 'GET',
      path: '/meta/bases/{base}/tables',
      inPath: { base: airtableBaseId },
      items: 'tables',
      example: {
        tables: [{ id: 'tbltp8DGLhqbUmjK1', name: 'People', fields: [{ id: 'fld1VnoyuotSTyxW1', name: 'Name' }] }],
      },
    },
    {
      id: 'comments.create',
      title: 'Comment on a record',
      help: 'Needs data.recordComments:write.',
      limits: airtableRateLimit,
      method: 'POST',
      path: '/{base}/{table}/{record}/comments',
      inPath: { base: airtableBaseId, table: airtableTableName, record: airtableRecordId },
      inBody: { text: multilineParameter('Text', 10_000).describe('@[id] mentions a user') },
      example: { id: 'comB5z37Mg9zaEPw6', text: 'Called back', createdTime: '2026-01-31T08:15:30.000Z' },
    },
  ],
};
