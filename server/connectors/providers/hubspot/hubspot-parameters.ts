import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequest, ApiResponse, ConnectorPaging } from '../../operation';
import {
  countParameter,
  jsonListParameter,
  listedLineListParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide: `paging.next.after` goes into the next
// query.
export const hubspotTokenPaging: ConnectorPaging = { kind: 'token', at: 'paging.next.after', query: 'after' };
export const hubspotBodyPaging: ConnectorPaging = { kind: 'token', at: 'paging.next.after', body: 'after' };
/** The properties that are read, of those that a source lists. */
export const hubspotProperties = (source: string, dependsOn: readonly string[] = []) =>
  listedLineListParameter('Properties', source, dependsOn)
    .optional()
    .describe('Internal names of the properties to give; default: a few');
export const hubspotPageSize = countParameter('Items a page', 100).optional().describe('At most 100');
export const hubspotSearchParameters = (source: string, dependsOn: readonly string[] = []) => ({
  query: valueLineParameter('Text', 'search', 3000).optional().describe('A word in one of the usual properties'),
  filters: jsonListParameter('Filters', 5)
    .optional()
    .describe(
      'As JSON, e.g. [{"filters": [{"propertyName": "email", "operator": "EQ", "value": "ada@example.com"}]}]; one of the groups has to match',
    ),
  sorts: jsonListParameter('Sorts', 1)
    .optional()
    .describe('As JSON, e.g. [{"propertyName": "createdate", "direction": "DESCENDING"}]'),
  properties: hubspotProperties(source, dependsOn),
  limit: countParameter('Items', 200).optional().describe('Items a page, at most 200'),
});
export const hubspotSearchNames = { filters: 'filterGroups' };
export const hubspotObjectType = listedLineParameter('Object', 'objectTypes', [], 100).describe(
  'contacts, companies, deals, tickets, products, or the id of an own object such as 2-3465404',
);
export const hubspotRecordId = listedLineParameter('Record', 'records', ['object']).describe('Id of the record');

// https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
export const hubspotRateLimit = '110 calls in 10 seconds for an app of a registration.';
export const hubspotSearchLimit = 'Five searches a second; at most 10,000 results.';

/**
 * Batches answer 207 with the errors of single records.
 * https://developers.hubspot.com/docs/api-reference/error-handling
 */
export function requireHubspotSuccess(body: unknown): void {
  const errors = getAtPath(body, 'errors');
  if (!Array.isArray(errors) || errors.length === 0) return;
  const reason = String(getAtPath(errors[0], 'message') ?? 'no reason given').slice(0, 500);
  throw new NodeFailure('API_REFUSED', `HubSpot refused: ${reason}`, false);
}

/** Finds all records of a search, page by page. */
export function* searchHubspotRecords(
  path: string,
  search: Record<string, unknown>,
): Generator<ApiRequest, unknown[], ApiResponse> {
  const found: unknown[] = [];
  let after: unknown;
  do {
    const { body } = yield {
      method: 'POST',
      path: `${path}/search`,
      body: { as: 'json', value: { ...search, after } },
    };
    const results = getAtPath(body, 'results');
    if (Array.isArray(results)) found.push(...(results as unknown[]));
    after = getAtPath(body, 'paging.next.after');
  } while (typeof after === 'string' && after !== '');
  return found;
}

/** A time as HubSpot's searches take it. */
export function toHubspotTime(time: string): string {
  const at = Date.parse(time);
  if (!Number.isNaN(at)) return String(at);
  throw new NodeFailure('CONFIG', `parameters.since: "${time.slice(0, 100)}" must be a time as in ISO 8601.`, false);
}
