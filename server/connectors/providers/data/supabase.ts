import { HOST_NAME_RULE, HOST_NAME_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ApiRequest } from '../../operation';
import {
  booleanParameter,
  columnRowsParameter,
  columnsParameter,
  countParameter,
  fileParameter,
  jsonObjectParameter,
  listedJoinedParameter,
  listedLineParameter,
  pairsParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import { supabaseChoices } from './supabase-choices';
import { supabaseRateLimit, supabaseSchemaOperations } from './supabase-schema';

// https://supabase.com/docs/guides/api, https://docs.postgrest.org/en/stable/references/api/tables_views.html
const supabaseTableName = listedLineParameter('Table', 'tables', [], 200).describe(
  'Name of a table or view of the schema public',
);
const supabaseFilters = pairsParameter('Where').describe(
  'Name of a column and a value, or a condition such as gt.10, ilike.*ada*, in.(1,2)',
);
const supabaseNewRow = columnsParameter('Row', 'columns', ['table']).describe('Name of a column and its value');
const supabaseChangedRow = someColumnsParameter('Row', 'columns', ['table']).describe('Name of a column and its value');
const supabaseBucket = listedLineParameter('Bucket', 'buckets', [], 200).describe('Name of the bucket');
const OBJECT_PATH_HELP = 'Folder and name in the bucket, e.g. invoices/42.pdf';
const supabaseNewPath = valueLineParameter('Path', 'new name', 1000).describe(OBJECT_PATH_HELP);
const supabaseObjectPath = listedLineParameter('Path', 'objects', ['bucket'], 1000).describe(OBJECT_PATH_HELP);
const supabaseRowExample = { id: 1, name: 'Ada', created_at: '2026-01-31T08:15:30.000Z' };

const POSTGREST_CONDITION =
  /^(not\.)?(eq|neq|gt|gte|lt|lte|like|ilike|match|imatch|is|in|cs|cd|ov|fts|plfts|phfts|wfts)[.(]/;

/** Converts conditions to filters of PostgREST. A plain value means equality. */
const toPostgrestFilters = (given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([column, value]) => {
      if (value === null) return [column, 'is.null'];
      const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return [column, POSTGREST_CONDITION.test(written) ? written : `eq.${written}`];
    }),
  );

const tableRowsPath = (name: string): string => `/rest/v1/${encodeURIComponent(name)}`;
const storageObjectPath = (inBucket: string, at: string) =>
  `/storage/v1/object/${[inBucket, ...at.split('/')].map(encodeURIComponent).join('/')}`;
/** Headers that make the API return the rows that it changed. */
const returnChangedRows = (others = '') => ({ Prefer: ['return=representation', others].filter(Boolean).join(',') });

const rowChangeRequest = (
  request: Pick<ApiRequest, 'method' | 'query' | 'headers'>,
  name: string,
  value?: unknown,
): ApiRequest => ({
  ...request,
  path: tableRowsPath(name),
  ...(value === undefined ? {} : { body: { as: 'json', value } }),
});

export const supabaseConnector: ConnectorDefinition = {
  id: 'supabase',
  name: 'Supabase',
  description: 'Rows, functions and files of a project.',
  synonyms: ['database', 'postgres', 'postgrest', 'table', 'sql', 'storage', 'backend'],
  flow: 'token',
  apiUrl: 'https://{host}',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host of the project',
      hint: 'e.g. abcdefghijklmnopqrst.supabase.co',
      required: true,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
    },
  ],
  token: {
    title: 'Secret key',
    setup:
      'In the dashboard of the project open "Project Settings" > "API Keys" and copy the secret key (or service_role). It passes row level security.',
    fields: [
      {
        name: 'token',
        title: 'Secret key',
        hint: 'Begins with sb_secret_ or eyJ',
        isSecret: true,
        pattern: /^[\w.-]{20,1000}$/,
        rule: 'must be a key of Supabase, such as sb_secret_…',
      },
    ],
    headers: { apikey: '{token}', Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: a project has keys of its own.',
  probe: { path: '/rest/v1/' },
  choices: supabaseChoices,
  operations: [
    defineSteppedOperation({
      id: 'rows.list',
      title: 'List rows',
      help: 'Rows that meet conditions, sorted.',
      limits: supabaseRateLimit,
      parameters: {
        table: supabaseTableName,
        filters: supabaseFilters.optional(),
        select: listedJoinedParameter('Columns', 'column_names', ['table'], 4000)
          .optional()
          .describe('Names, separated by commas; also of related tables, e.g. id,city(name)'),
        order: valueLineParameter('Order', 'query', 500).optional().describe('e.g. created_at.desc'),
        limit: countParameter('Rows', 1000).optional().describe('At most 1,000'),
        offset: countParameter('Skip', 1_000_000_000).optional().describe('Rows to skip'),
      },
      *steps({ table: name, filters: where = {}, ...query }) {
        return (yield { path: tableRowsPath(name), query: { ...toPostgrestFilters(where), ...query } }).body;
      },
      example: [supabaseRowExample],
      poll: {
        title: 'New row',
        words: 'supabase trigger row inserted database',
        parameters: { order: 'id.desc', limit: 1000 },
        items: 'input.body',
        key: 'item.id',
      },
    }),
    defineSteppedOperation({
      id: 'rows.insert',
      title: 'Insert a row',
      help: 'Returns the new row with its defaults.',
      limits: supabaseRateLimit,
      parameters: { table: supabaseTableName, row: supabaseNewRow },
      *steps({ table: name, row: value }) {
        return (yield rowChangeRequest({ method: 'POST', headers: returnChangedRows() }, name, value)).body;
      },
      example: [supabaseRowExample],
    }),
    defineSteppedOperation({
      id: 'rows.insert_many',
      title: 'Insert rows',
      help: 'A list of objects in one call.',
      limits: supabaseRateLimit,
      parameters: {
        table: supabaseTableName,
        rows: columnRowsParameter('Rows', 'columns', ['table']).describe('Objects with names of columns and values'),
      },
      *steps({ table: name, rows: value }) {
        return (yield rowChangeRequest({ method: 'POST', headers: returnChangedRows() }, name, value)).body;
      },
      example: [supabaseRowExample],
    }),
    defineSteppedOperation({
      id: 'rows.update',
      title: 'Update rows',
      help: 'Changes all rows that meet the conditions.',
      limits: supabaseRateLimit,
      parameters: { table: supabaseTableName, filters: supabaseFilters, row: supabaseChangedRow },
      *steps({ table: name, filters: where, row: value }) {
        return (yield rowChangeRequest(
          { method: 'PATCH', query: toPostgrestFilters(where), headers: returnChangedRows() },
          name,
          value,
        )).body;
      },
      example: [supabaseRowExample],
    }),
    defineSteppedOperation({
      id: 'rows.upsert',
      title: 'Insert or update a row',
      help: 'Updates the row with the same key, or inserts it.',
      limits: supabaseRateLimit,
      parameters: {
        table: supabaseTableName,
        row: supabaseNewRow,
        key: listedJoinedParameter('Key columns', 'column_names', ['table'], 500)
          .optional()
          .describe('Columns with a unique constraint; default: the primary key'),
      },
      *steps({ table: name, row: value, key }) {
        const headers = returnChangedRows('resolution=merge-duplicates');
        return (yield rowChangeRequest({ method: 'POST', query: { on_conflict: key }, headers }, name, value)).body;
      },
      example: [supabaseRowExample],
    }),
    defineSteppedOperation({
      id: 'rows.delete',
      title: 'Delete rows',
      help: 'Deletes all rows that meet the conditions.',
      limits: supabaseRateLimit,
      parameters: { table: supabaseTableName, filters: supabaseFilters },
      *steps({ table: name, filters: where }) {
        return (yield rowChangeRequest(
          { method: 'DELETE', query: toPostgrestFilters(where), headers: returnChangedRows() },
          name,
        )).body;
      },
      example: [supabaseRowExample],
    }),
    {
      id: 'functions.call',
      title: 'Call a database function',
      help: 'A function of the schema public, with its arguments by name.',
      limits: supabaseRateLimit,
      method: 'POST',
      path: '/rest/v1/rpc/{function}',
      inPath: { function: listedLineParameter('Function', 'functions', [], 200).describe('Name of the function') },
      inBody: { arguments: jsonObjectParameter('Arguments').describe('Names and values, as JSON') },
      wholeBody: 'arguments',
      example: 42,
    },
    {
      id: 'functions.invoke',
      title: 'Invoke an edge function',
      help: 'Calls an edge function with a JSON body.',
      limits: supabaseRateLimit,
      method: 'POST',
      path: '/functions/v1/{function}',
      inPath: { function: valueLineParameter('Function', 'not listed', 200).describe('Name of the edge function') },
      inBody: { body: jsonObjectParameter('Body').describe('What the function gets, as JSON') },
      wholeBody: 'body',
      example: { message: 'Hello' },
    },
    defineSteppedOperation({
      id: 'files.upload',
      title: 'Upload a file',
      help: 'Stores a file of the run in a bucket.',
      limits: supabaseRateLimit,
      parameters: {
        bucket: supabaseBucket,
        path: supabaseNewPath,
        file: fileParameter('File'),
        overwrites: booleanParameter('Overwrite').optional().describe('Replaces a file at this path'),
      },
      *steps({ bucket: to, path: at, file: content, overwrites = false }) {
        const headers = { 'x-upsert': String(overwrites) };
        return (yield { method: 'POST', path: storageObjectPath(to, at), headers, body: { as: 'file', file: content } })
          .body;
      },
      example: { Key: 'documents/invoices/42.pdf', Id: '7b8c1f0e-…' },
    }),
    defineSteppedOperation({
      id: 'files.download',
      title: 'Download a file',
      help: 'Stores a file of a bucket as a file of the run.',
      limits: supabaseRateLimit,
      parameters: { bucket: supabaseBucket, path: supabaseObjectPath },
      *steps({ bucket: from, path: at }) {
        return (yield { path: storageObjectPath(from, at), asFile: { name: at.split('/').at(-1) ?? at } }).body;
      },
      example: { $file: 'file_…', name: '42.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
    }),
    ...supabaseSchemaOperations,
  ],
};
