import type { ConnectorChoiceSource } from '../../choices';
import type { ConnectorDefinition } from '../../connector';
import type { ConnectorPaging, DataOperation } from '../../operation';
import { countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { apifyRateLimit, apifyRunExample } from './apify-parameters';
import { apifyRunOperations } from './apify-runs';

const offsetPaging: ConnectorPaging = { kind: 'offset', query: 'offset', size: 'limit', defaultSize: 1000 };
const pageSize = countParameter('Items a page', 1000).optional().describe('At most 1,000');
const runId = listedLineParameter('Run', 'runs', [], 100).describe('Id of the run');
const RUN_STATUSES = ['READY', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TIMING-OUT', 'TIMED-OUT', 'ABORTING', 'ABORTED'];
const statusFilter = listedLineParameter('Status', 'statuses', [], 20).optional().describe('Default: all');

const listOperation = (operation: Omit<DataOperation, 'method' | 'items' | 'paging'>): DataOperation => ({
  ...operation,
  limits: apifyRateLimit,
  method: 'GET',
  inQuery: { ...operation.inQuery, limit: pageSize },
  items: 'data.items',
  paging: offsetPaging,
});

/** Operations of Apify that read, or end what runs. https://docs.apify.com/api/v2 */
const apifyReadOperations: DataOperation[] = [
  listOperation({
    id: 'actors.list',
    title: 'List Actors',
    help: 'Those that the account has made or used, last used first.',
    path: '/acts',
    query: { sortBy: 'stats.lastRunStartedAt', desc: 'true' },
    example: { data: { items: [{ id: 'br9CKmk457', name: 'web-scraper', username: 'apify' }] } },
  }),
  listOperation({
    id: 'tasks.list',
    title: 'List tasks',
    help: 'Actors with stored inputs.',
    path: '/actor-tasks',
    example: { data: { items: [{ id: 'zdc3Pyhyz3m8vjDeM', name: 'my-task', username: 'ada' }] } },
  }),
  listOperation({
    id: 'runs.list',
    title: 'List runs',
    help: 'Of all Actors, last started first.',
    path: '/actor-runs',
    inQuery: { status: statusFilter },
    query: { desc: 'true' },
    example: { data: { items: [apifyRunExample] } },
  }),
  {
    id: 'runs.get',
    title: 'Get a run',
    help: 'Its status, times and storages.',
    limits: apifyRateLimit,
    method: 'GET',
    path: '/actor-runs/{run}',
    inPath: { run: runId },
    example: { data: apifyRunExample },
  },
  {
    id: 'runs.abort',
    title: 'Abort a run',
    help: 'Ends it before it is done.',
    limits: apifyRateLimit,
    method: 'POST',
    path: '/actor-runs/{run}/abort',
    inPath: { run: runId },
    example: { data: { ...apifyRunExample, status: 'ABORTING' } },
  },
  {
    id: 'runs.get_last',
    title: 'Get the last run of an Actor',
    help: 'Of all, or with a status.',
    limits: apifyRateLimit,
    method: 'GET',
    path: '/acts/{actor}/runs/last',
    inPath: { actor: listedLineParameter('Actor', 'actors', [], 200).describe('Id, or user~name') },
    inQuery: { status: statusFilter },
    example: { data: apifyRunExample },
  },
  {
    id: 'datasets.list_items',
    title: 'List items of a dataset',
    help: 'What a run has found.',
    limits: apifyRateLimit,
    method: 'GET',
    path: '/datasets/{dataset}/items',
    inPath: { dataset: listedLineParameter('Dataset', 'datasets', [], 200).describe('Id, or user~name') },
    inQuery: {
      offset: countParameter('Skip', 2 ** 31)
        .optional()
        .describe('So many items at the beginning are left out'),
      limit: countParameter('Items', 250_000).optional().describe('Default: all'),
      fields: valueLineParameter('Fields', 'place', 2000)
        .optional()
        .describe('Names, separated by commas; default: all'),
      omit: valueLineParameter('Without fields', 'place', 2000).optional().describe('Names, separated by commas'),
    },
    query: { format: 'json' },
    example: [{ url: 'https://example.com', title: 'Example' }],
  },
  listOperation({
    id: 'datasets.list',
    title: 'List datasets',
    help: 'Those with a name.',
    path: '/datasets',
    example: { data: { items: [{ id: 'WkzbQMuFYuamGv3YF', name: 'products', itemCount: 7 }] } },
  }),
];

const page = { parameters: { limit: 100 } };
const named = { value: 'id', label: ['{username}/{name}', 'name'] };

/** What the parameters of Apify are picked from. */
const apifyChoices: Record<string, ConnectorChoiceSource> = {
  actors: { ...page, ...named, operation: 'actors.list' },
  tasks: { ...page, ...named, operation: 'tasks.list' },
  runs: { ...page, operation: 'runs.list', value: 'id', label: ['{startedAt}: {status}'] },
  datasets: { ...page, operation: 'datasets.list', value: 'id', label: ['name'] },
  statuses: { choices: RUN_STATUSES.map((value) => ({ value, label: value.toLowerCase().replace('-', ' ') })) },
  memories: {
    choices: [128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768].map((value) => ({ value, label: `${value} MB` })),
  },
};

export const apifyConnector: ConnectorDefinition = {
  id: 'apify',
  name: 'Apify',
  description: 'Actors that read websites, their runs and datasets.',
  synonyms: ['scraper', 'scraping', 'crawler', 'actor', 'dataset', 'web data'],
  flow: 'token',
  apiUrl: 'https://api.apify.com/v2',
  scopes: {},
  // https://docs.apify.com/api/v2#authentication
  token: {
    title: 'API token',
    setup: 'In Apify Console open "Settings" > "API & Integrations" and copy or create a token.',
    fields: [
      {
        name: 'token',
        title: 'API token',
        hint: 'Begins with apify_api_',
        isSecret: true,
        pattern: /^[\w-]{15,300}$/,
        rule: 'must be an API token of Apify, such as apify_api_…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: an account has API tokens.',
  probe: { path: '/users/me' },
  limits: { perMinute: 3600, source: 'https://docs.apify.com/api/v2#rate-limiting' },
  choices: apifyChoices,
  operations: [...apifyRunOperations, ...apifyReadOperations],
};
