import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  choiceParameter,
  countParameter,
  columnRowsParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';
import { airtableChoices } from './airtable-choices';
import { airtableRecordOperations } from './airtable-records';
import { airtableSchemaOperations } from './airtable-schema';
import {
  airtableBaseId,
  AIRTABLE_TABLE_FIELDS as inTable,
  airtableChangedValues,
  airtableFieldValues,
  airtableRateLimit,
  airtableRecordExample,
  airtableRecordId,
  airtableTableName,
  airtableTablePath,
  airtableTokenPaging,
  airtableTypecastFlag,
  sendRecordBatches,
} from './airtable-parameters';

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
  apis: { content: 'https://content.airtable.com/v0' },
  // https://airtable.com/developers/web/api/scopes
  scopes: {
    'data.records:read': 'data.records:read',
    'data.records:write': 'data.records:write',
    'schema.bases:read': 'schema.bases:read',
  },
  optionalScopes: {
    'data.recordComments:read': 'data.recordComments:read',
    'data.recordComments:write': 'data.recordComments:write',
    'schema.bases:write': 'schema.bases:write',
  },
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
  // Five calls a second for each base.
  limits: { perMinute: 300, source: 'https://airtable.com/developers/web/api/rate-limits' },
  choices: airtableChoices,
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
        view: listedLineParameter('View', 'views', inTable).optional().describe('Name or id of a view'),
        fields: listedLineListParameter('Only these fields', 'fields', inTable)
          .optional()
          .describe('Names of fields; default: all'),
        sortBy: listedLineParameter('Sort by', 'fields', inTable).optional().describe('Name of a field'),
        sortDirection: choiceParameter('Direction', ['asc', 'desc']).optional().describe('Default asc'),
        limit: countParameter('Records', 10_000).optional().describe('Records of all pages together'),
        pageSize: countParameter('Items a page', 100).optional().describe('At most 100'),
      },
      names: {
        formula: 'filterByFormula',
        fields: 'fields[]',
        sortBy: 'sort[0][field]',
        sortDirection: 'sort[0][direction]',
        limit: 'maxRecords',
      },
      styles: { 'fields[]': 'repeat' },
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
        rows: columnRowsParameter('Records', 'columns', inTable).describe('Objects with names and values of fields'),
        typecast: airtableTypecastFlag,
      },
      *steps({ base, table, rows, typecast: converts }) {
        const records = rows.map((fields) => ({ fields }));
        return yield* sendRecordBatches('POST', airtableTablePath(base, table), records, { typecast: converts });
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
      inBody: { fields: airtableChangedValues, typecast: airtableTypecastFlag },
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
        rows: columnRowsParameter('Records', 'columns', inTable).describe('Objects with names and values of fields'),
        keys: listedLineListParameter('Key fields', 'fields', inTable).describe(
          'Names of up to three fields that identify a record',
        ),
        typecast: airtableTypecastFlag,
      },
      // https://airtable.com/developers/web/api/update-multiple-records
      *steps({ base, table, rows, keys, typecast: converts }) {
        const records = rows.map((fields) => ({ fields }));
        const others = { performUpsert: { fieldsToMergeOn: keys }, typecast: converts };
        return yield* sendRecordBatches('PATCH', airtableTablePath(base, table), records, others);
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
    ...airtableRecordOperations,
    ...airtableSchemaOperations,
  ],
};
