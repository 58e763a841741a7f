import { nextLink } from '@/server/outbound/link-header';
import type { OutboundResponse } from '@/server/outbound/outbound';
import type { ConnectorOperation } from './connector';
import { at } from './url-template';

const withParameter = (url: URL, name: string, value: string): URL => {
  const copy = new URL(url);
  copy.searchParams.set(name, value);
  return copy;
};

/**
 * The next page: an address from the provider, or this page's with another parameter; undefined after the last page. `count`: items so far.
 */
export function nextPage(
  { paging, items }: ConnectorOperation,
  url: URL,
  answer: OutboundResponse,
  body: unknown,
  count: number,
): string | URL | undefined {
  switch (paging?.kind) {
    case 'link':
      return nextLink(answer.headers['link']);
    case 'address': {
      const address = at(body, paging.at);
      return typeof address === 'string' && address !== '' ? address : undefined;
    }
    case 'token': {
      const token = at(body, paging.at);
      const isToken = (typeof token === 'string' && token !== '') || typeof token === 'number';
      return isToken ? withParameter(url, paging.query, String(token)) : undefined;
    }
    case 'offset': {
      const page = at(body, items ?? '');
      const size = Number(url.searchParams.get(paging.size) ?? paging.defaultSize);
      return Array.isArray(page) && page.length >= size ? withParameter(url, paging.query, String(count)) : undefined;
    }
    default:
      return undefined;
  }
}
