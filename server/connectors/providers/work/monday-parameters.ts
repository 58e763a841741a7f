import type { ApiRequest } from '../../operation';
import { listedLineParameter } from '../../parameters';

// https://developer.monday.com/api-reference/docs/basics
export const mondayGraphqlRequest = (source: string, variables: Record<string, unknown> = {}): ApiRequest => ({
  method: 'POST',
  path: '/v2',
  body: { as: 'json', value: { query: source, variables } },
});

export const mondayBoardId = listedLineParameter('Board', 'boards', [], 30).describe(
  'Id of the board; it is in its address',
);
export const mondayItemId = listedLineParameter('Item', 'items', ['board'], 30).describe('Id of the item');

// https://developer.monday.com/api-reference/docs/rate-limits
export const mondayRateLimit = '1,000 to 5,000 calls a minute, by plan; each has a complexity.';
