import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequest, ApiResponse, ConnectorPaging } from '../../operation';
import { countParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://learn.microsoft.com/graph/paging
export const microsoftGraphPaging: ConnectorPaging = { kind: 'address', at: '@odata.nextLink' };

// https://learn.microsoft.com/graph/query-parameters
export const graphFilterParameter = valueLineParameter('Filter', 'query', 4000)
  .optional()
  .describe("An OData condition, e.g. startswith(displayName, 'A')");
export const graphPageSizeParameter = countParameter('Items a page', 999)
  .optional()
  .describe('At most 999; the default differs by list');
export const graphOrderParameter = valueLineParameter('Order', 'query', 200)
  .optional()
  .describe('e.g. name, lastModifiedDateTime desc');
export const graphLimitParameter = countParameter('Items', 10_000)
  .optional()
  .describe('At most so many; default 1,000');
export const graphODataNames = {
  filter: '$filter',
  top: '$top',
  order: '$orderby',
  select: '$select',
  search: '$search',
  expand: '$expand',
};

const DEFAULT_LIMIT = 1000;

/** The items of all pages, at most `limit`. */
export function* collectGraphItems(
  first: ApiRequest,
  limit = DEFAULT_LIMIT,
): Generator<ApiRequest, unknown[], ApiResponse> {
  const all: unknown[] = [];
  let next: ApiRequest | undefined = first;
  while (next && all.length < limit) {
    const { body }: ApiResponse = yield next;
    all.push(...((getAtPath(body, 'value') ?? []) as unknown[]));
    const address = getAtPath(body, '@odata.nextLink');
    next = typeof address === 'string' && address !== '' ? { ...first, path: address, query: {} } : undefined;
  }
  return all.slice(0, limit);
}

/** A page of a list that choices are made of: the first one, or that at the address which the page before named. */
export function* graphPage(
  first: ApiRequest,
  address: string | null,
): Generator<ApiRequest, { items: unknown[]; next: string | null }, ApiResponse> {
  const { body } = yield address === null ? first : { ...first, path: address, query: {} };
  const next = getAtPath(body, '@odata.nextLink');
  return {
    items: (getAtPath(body, 'value') ?? []) as unknown[],
    next: typeof next === 'string' && next !== '' ? next : null,
  };
}

/** Quotes a text for an OData condition. */
export const quoteODataText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A part of a path. Throws NodeFailure CONFIG for one that would lead out of its place. */
export function encodePathPart(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new NodeFailure('CONFIG', `"${value}" is not a valid id or name.`, false);
  return encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// https://learn.microsoft.com/graph/throttling-limits
export const OUTLOOK_RATE_LIMIT = '10,000 calls in 10 minutes for a mailbox, 4 at the same time.';
export const TEAMS_RATE_LIMIT = '4 calls a second in a team or channel, 3,000 messages a day in a channel.';
export const EXCEL_RATE_LIMIT = '1,500 calls in 10 seconds for an organization.';
// https://learn.microsoft.com/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online
export const SHAREPOINT_RATE_LIMIT =
  '1,200 units a minute for an organization, more from 1,000 licences on; a call costs 1 or 2, one about rights 5.';

/** The least time of a file, a mail or an event since which a poll asks. */
export const SINCE_LAST_POLL = '{{ cursor ?? $fromMillis($millis() - 3600000) }}';
