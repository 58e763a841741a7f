import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import { countParameter, listedLineParameter, valueLineParameter } from '../../parameters';

export const supabaseRateLimit = 'Those of the compute size of the project; a call returns at most 1,000 rows.';

/** A column as the description of the API has it. https://docs.postgrest.org/en/stable/references/api/openapi.html */
interface DescribedColumn {
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

interface DescribedTable {
  description?: string;
  required?: string[];
  properties?: Record<string, DescribedColumn>;
}

/** Reads the description of the project's API, of which `part` is an object by names. */
function* readApiDescription<Part>(part: string): Generator<ApiRequest, Record<string, Part>, ApiResponse> {
  const found = getAtPath((yield { path: '/rest/v1/' }).body, part);
  return (found ?? {}) as Record<string, Part>;
}

/** The description marks keys with `<pk/>`. A key is generated in most tables, so that a new row needs none. */
const isPrimaryKey = ({ description = '' }: DescribedColumn): boolean => description.includes('<pk/>');

/** Operations of Supabase that list what a project has. */
export const supabaseSchemaOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'tables.list',
    title: 'List tables',
    help: 'Tables and views of the schema public.',
    limits: supabaseRateLimit,
    parameters: {},
    *steps() {
      const tables = yield* readApiDescription<DescribedTable>('definitions');
      return Object.entries(tables).map(([name, { description = '' }]) => ({ name, description }));
    },
    example: [{ name: 'customers', description: 'Who has bought something' }],
  }),
  defineSteppedOperation({
    id: 'columns.list',
    title: 'List columns of a table',
    help: 'With their types, and whether a row needs a value.',
    limits: supabaseRateLimit,
    parameters: {
      table: listedLineParameter('Table', 'tables', [], 200).describe('Name of a table or view of the schema public'),
    },
    *steps({ table }) {
      const tables = yield* readApiDescription<DescribedTable>('definitions');
      const { properties = {}, required = [] } = (Object.hasOwn(tables, table) ? tables[table] : undefined) ?? {};
      return Object.entries(properties).map(([name, column]) => ({
        name,
        type: column.enum ? 'enum' : column.format === 'date' ? 'date' : (column.type ?? 'json'),
        format: column.format ?? null,
        description: column.description ?? '',
        isRequired: required.includes(name) && column.default === undefined && !isPrimaryKey(column),
        options: column.enum ?? [],
      }));
    },
    example: [
      {
        name: 'name',
        type: 'string',
        format: 'text',
        description: 'Name of the customer',
        isRequired: true,
        options: [],
      },
    ],
  }),
  defineSteppedOperation({
    id: 'functions.list',
    title: 'List database functions',
    help: 'Names of functions of the schema public.',
    limits: supabaseRateLimit,
    parameters: {},
    *steps() {
      const paths = yield* readApiDescription<unknown>('paths');
      return Object.keys(paths).flatMap((path) => (path.startsWith('/rpc/') ? [{ name: path.slice(5) }] : []));
    },
    example: [{ name: 'count_orders' }],
  }),
  {
    id: 'buckets.list',
    title: 'List buckets',
    help: 'Of the storage of the project.',
    limits: supabaseRateLimit,
    method: 'GET',
    path: '/storage/v1/bucket',
    items: '',
    example: [{ id: 'documents', name: 'documents', public: false }],
  },
  {
    id: 'files.list',
    title: 'List files of a bucket',
    help: 'Files and folders of one folder; folders have no `id`.',
    limits: supabaseRateLimit,
    method: 'POST',
    path: '/storage/v1/object/list/{bucket}',
    inPath: { bucket: listedLineParameter('Bucket', 'buckets', [], 200).describe('Name of the bucket') },
    inBody: {
      prefix: valueLineParameter('Folder', 'place', 1000).optional().describe('e.g. invoices; empty: the root'),
      limit: countParameter('Files', 1000).optional().describe('At most 1,000; default 100'),
      offset: countParameter('Skip', 1_000_000_000).optional().describe('Files to skip'),
      search: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
    },
    items: '',
    example: [{ id: '7b8c1f0e-0000-0000-0000-1f9c2f3b4a5d', name: '42.pdf', metadata: { size: 53_072 } }],
  },
];
