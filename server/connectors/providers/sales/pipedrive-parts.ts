import type { DataOperation, ConnectorPaging } from '../../operation';
import { countParameter, listedParameter, someColumnsParameter, valueLineParameter } from '../../parameters';

// https://developers.pipedrive.com/docs/api/v1
export const pipedriveTokenPaging: ConnectorPaging = {
  kind: 'token',
  at: 'additional_data.next_cursor',
  query: 'cursor',
};
export const pipedriveIdParameter = (title: string, source: string) =>
  listedParameter(countParameter(title, 2 ** 31), source);
export const pipedrivePageSize = countParameter('Items a page', 500).optional().describe('At most 500; default 100');
export const pipedriveCustomFields = (source: string) =>
  someColumnsParameter('Other fields', source).optional().describe('Custom fields by their keys');
export const pipedriveOwner = pipedriveIdParameter('Owner', 'users')
  .optional()
  .describe('Id of a user; default: whose token it is');

// https://pipedrive.readme.io/docs/core-api-concepts-rate-limiting
export const pipedriveRateLimit =
  'A daily budget of tokens for each user, by plan; lists cost 20, single objects 1 to 2.';
export const pipedriveDealExample = {
  id: 42,
  title: 'Acme',
  value: 1000,
  currency: 'EUR',
  status: 'open',
  person_id: 7,
  add_time: '2026-01-31T08:15:30Z',
};
export const pipedrivePersonExample = {
  id: 7,
  name: 'Ada Lovelace',
  emails: [{ value: 'ada@example.com', primary: true }],
  org_id: 3,
};
export const pipedriveListExample = (one: object) => ({
  success: true,
  data: [one],
  additional_data: { next_cursor: null },
});
export const pipedriveSingleExample = (one: object) => ({ success: true, data: one });

export const pipedriveListOperation = (
  operation: Pick<DataOperation, 'id' | 'title' | 'help' | 'path' | 'example' | 'poll'>,
): DataOperation => ({
  limits: pipedriveRateLimit,
  method: 'GET',
  inQuery: {
    since: valueLineParameter('Changed since', 'quantity', 64).optional().describe('ISO 8601'),
    limit: pipedrivePageSize,
  },
  names: { since: 'updated_since' },
  items: 'data',
  paging: pipedriveTokenPaging,
  ...operation,
});
