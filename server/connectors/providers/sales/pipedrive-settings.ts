import type { DataOperation } from '../../operation';
import { countParameter, listedParameter } from '../../parameters';
import { pipedriveListExample, pipedrivePageSize, pipedriveRateLimit, pipedriveTokenPaging } from './pipedrive-parts';

const fieldListOperation = (kind: string, things: string, path: string): DataOperation => ({
  id: `${kind}_fields.list`,
  title: `List the fields of ${things}`,
  help: 'Fields of Pipedrive and own ones, with their keys, types and options.',
  limits: pipedriveRateLimit,
  method: 'GET',
  path,
  items: 'data',
  // https://developers.pipedrive.com/docs/api/v1/DealFields
  paging: { kind: 'token', at: 'additional_data.pagination.next_start', query: 'start' },
  example: {
    success: true,
    data: [
      {
        id: 12_500,
        key: 'dcf558aac1ae4e8c4f849ba5e668430d8df9be12',
        name: 'Region',
        field_type: 'enum',
        options: [{ id: 31, label: 'North' }],
      },
    ],
    additional_data: { pagination: { start: 0, limit: 100, more_items_in_collection: false } },
  },
});

/** Operations of Pipedrive with the settings of an account. https://developers.pipedrive.com/docs/api/v1 */
export const pipedriveSettingOperations: DataOperation[] = [
  {
    id: 'pipelines.list',
    title: 'List pipelines',
    help: 'With their ids.',
    limits: pipedriveRateLimit,
    method: 'GET',
    path: '/api/v2/pipelines',
    inQuery: { limit: pipedrivePageSize },
    items: 'data',
    paging: pipedriveTokenPaging,
    example: pipedriveListExample({ id: 1, name: 'Sales', is_deleted: false }),
  },
  {
    id: 'stages.list',
    title: 'List stages',
    help: 'Of all pipelines, or of one.',
    limits: pipedriveRateLimit,
    method: 'GET',
    path: '/api/v2/stages',
    inQuery: {
      pipeline: listedParameter(countParameter('Pipeline', 2 ** 31), 'pipelines')
        .optional()
        .describe('Id of a pipeline'),
      limit: pipedrivePageSize,
    },
    names: { pipeline: 'pipeline_id' },
    items: 'data',
    paging: pipedriveTokenPaging,
    example: pipedriveListExample({ id: 2, name: 'Qualified', pipeline_id: 1, is_deleted: false }),
  },
  {
    id: 'users.list',
    title: 'List users',
    help: 'Of the company, also those that are not active.',
    limits: pipedriveRateLimit,
    method: 'GET',
    path: '/v1/users',
    items: 'data',
    example: { success: true, data: [{ id: 11, name: 'Ada Lovelace', email: 'ada@example.com', active_flag: true }] },
  },
  {
    id: 'activity_types.list',
    title: 'List types of activities',
    help: 'With the words that activities take as their type.',
    limits: pipedriveRateLimit,
    method: 'GET',
    path: '/v1/activityTypes',
    items: 'data',
    example: { success: true, data: [{ id: 1, name: 'Call', key_string: 'call', active_flag: true }] },
  },
  fieldListOperation('deal', 'deals', '/v1/dealFields'),
  fieldListOperation('person', 'persons', '/v1/personFields'),
  fieldListOperation('organization', 'organizations', '/v1/organizationFields'),
];
