import type { ListPage } from '@/server/evaluation/list-page';
import { nextLink } from '@/server/outbound/link-header';
import { setParameter } from '@/server/outbound/query';
import type { OutboundResponse } from '@/server/outbound/outbound';
import type { DataOperation } from '../operation';
import { at } from '@/server/expressions/dotted-path';
import { nextAddress, type ApiCall } from './endpoint';

function withParameter(call: ApiCall, name: string, value: string): ApiCall {
  return { ...call, url: new URL(setParameter(call.url.href, name, value)) };
}

const withAddress = (call: ApiCall, address: string | undefined): ApiCall | undefined =>
  address === undefined ? undefined : { ...call, url: nextAddress(call.url, address) };

function withField(call: ApiCall, name: string, value: unknown): ApiCall {
  if (call.body?.as !== 'json') return call;
  return { ...call, body: { as: 'json', value: { ...(call.body.value as object), [name]: value } } };
}

/**
 * The call of the next page: at an address from the provider, or this page's with another parameter; undefined after the last page. `count`:
 * items so far.
 */
export function nextPage(
  { paging }: DataOperation,
  call: ApiCall,
  answer: OutboundResponse,
  page: ListPage,
  count: number,
): ApiCall | undefined {
  switch (paging?.kind) {
    case 'link':
      return withAddress(call, nextLink(answer.headers['link']));
    case 'address': {
      const address = at(page.rest, paging.at);
      return withAddress(call, typeof address === 'string' && address !== '' ? address : undefined);
    }
    case 'token': {
      const token = at(page.rest, paging.at);
      const isToken = (typeof token === 'string' && token !== '') || typeof token === 'number';
      if (!isToken) return undefined;
      return 'query' in paging ? withParameter(call, paging.query, String(token)) : withField(call, paging.body, token);
    }
    case 'offset': {
      const size = Number(call.url.searchParams.get(paging.size) ?? paging.defaultSize);
      return page.count >= size ? withParameter(call, paging.query, String(count)) : undefined;
    }
    case 'page': {
      const size = Number(call.url.searchParams.get(paging.size) ?? paging.defaultSize);
      const number = Number(call.url.searchParams.get(paging.query) ?? paging.first);
      return page.count >= size ? withParameter(call, paging.query, String(number + 1)) : undefined;
    }
    case 'last':
      return at(page.rest, paging.more) === true && page.count > 0
        ? withParameter(call, paging.query, String(page.lastId))
        : undefined;
    default:
      return undefined;
  }
}
