import { NodeFailure } from '@/server/platform/errors/node-failure';
import { requestTarget } from './query';
import { filterHeaders, isHarmlessHeader } from './request-headers';

const MAX_URL_LENGTH = 16_384;

/** One request of a chain of redirects. Names of headers are in lower case. */
export interface RequestHop<Body> {
  url: URL;
  /** The path and query as they are sent. */
  target: string;
  method: string;
  headers: Record<string, string>;
  body: Body | undefined;
}

/** An address that can be called. Throws NodeFailure INVALID_URL. */
export function parseHttpUrl(address: string | URL, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    throw new NodeFailure('INVALID_URL', `"${String(address).slice(0, 200)}" is not a URL.`, false);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NodeFailure('INVALID_URL', `Only http and https addresses can be called, not ${url.protocol}`, false);
  }
  if (url.username !== '' || url.password !== '') {
    throw new NodeFailure('INVALID_URL', 'A URL may not carry a user name or password; use a credential.', false);
  }
  if (url.href.length > MAX_URL_LENGTH) throw new NodeFailure('INVALID_URL', 'The URL is too long.', false);
  return url;
}

/** The next request of a browser; undefined if the response is no redirect. */
export function nextRequestHop<Body>(
  { url, method, headers, body }: RequestHop<Body>,
  status: number,
  location: string | undefined,
): RequestHop<Body> | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  const next = parseHttpUrl(location, url);
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  const isKept = (name: string) =>
    (next.origin === url.origin || isHarmlessHeader(name)) && !(becomesGet && name.startsWith('content-'));
  return {
    url: next,
    target: requestTarget(location, next),
    method: becomesGet ? 'GET' : method,
    headers: filterHeaders(headers, isKept),
    body: becomesGet ? undefined : body,
  };
}
