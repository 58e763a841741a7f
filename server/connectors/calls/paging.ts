import type { ListPage } from '@/server/evaluation/evaluator/list-page';
import { findNextLink } from '@/server/network/outbound/link-header';
import { setQueryParameter } from '@/server/network/outbound/query';
import type { OutboundResponse } from '@/server/network/outbound/outbound';
import type { DataOperation } from '../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { resolveNextPageUrl, type PreparedCall } from './endpoint';

function withQueryParameter(call: PreparedCall, name: string, value: string): PreparedCall {
  return { ...call, url: new URL(setQueryParameter(call.url.href, name, value)) };
}

const withNextAddress = (call: PreparedCall, address: string | undefined): PreparedCall | undefined =>
  address === undefined ? undefined : { ...call, url: resolveNextPageUrl(call.url, address) };

function withBodyField(call: PreparedCall, name: string, value: unknown): PreparedCall {
  if (call.body?.as !== 'json') return call;
  return { ...call, body: { as: 'json', value: { ...(call.body.value as object), [name]: value } } };
}

/**
 * The call of the next page: at an address from the provider, or this page's with another parameter; undefined after
 * the last page. `count`: items so far.
 */
export function nextPageCall(
  { paging }: DataOperation,
  call: PreparedCall,
  answer: OutboundResponse,
  page: ListPage,
  count: number,
): PreparedCall | undefined {
  switch (paging?.kind) {
    case 'link':
      return withNextAddress(call, findNextLink(answer.headers['link']));
    case 'address': {
      const address = getAtPath(page.rest, paging.at);
      return withNextAddress(call, typeof address === 'string' && address !== '' ? address : undefined);
    }
    case 'token': {
      const token = getAtPath(page.rest, paging.at);
      const isToken = (typeof token === 'string' && token !== '') || typeof token === 'number';
      if (!isToken) return undefined;
      return 'query' in paging
        ? withQueryParameter(call, paging.query, String(token))
        : withBodyField(call, paging.body, token);
    }
    case 'offset': {
      const size = Number(call.url.searchParams.get(paging.size) ?? paging.defaultSize);
      return page.count >= size ? withQueryParameter(call, paging.query, String(count)) : undefined;
    }
    case 'page': {
      const size = Number(call.url.searchParams.get(paging.size) ?? paging.defaultSize);
      const number = Number(call.url.searchParams.get(paging.query) ?? paging.first);
      return page.count >= size ? withQueryParameter(call, paging.query, String(number + 1)) : undefined;
    }
    case 'last':
      return getAtPath(page.rest, paging.more) === true && page.count > 0
        ? withQueryParameter(call, paging.query, String(page.lastId))
        : undefined;
    default:
      return undefined;
  }
}
