type QueryParameter = readonly [name: string, value: string];

/** The parts of an address: before its query, the query with its question mark, and the fragment. */
function splitAddress(address: string): [before: string, query: string | undefined, fragment: string] {
  const hash = address.indexOf('#');
  const [whole, fragment] = hash === -1 ? [address, ''] : [address.slice(0, hash), address.slice(hash)];
  const mark = whole.indexOf('?');
  return mark === -1 ? [whole, undefined, fragment] : [whole.slice(0, mark), whole.slice(mark + 1), fragment];
}

const encodeParameters = (pairs: readonly QueryParameter[]) =>
  new URLSearchParams(pairs.map((pair) => [...pair])).toString();

const joinAddress = (before: string, query: string, added: string, fragment: string) =>
  `${before}?${query}${query === '' || query.endsWith('&') ? '' : '&'}${added}${fragment}`;

/**
 * Adds parameters to an address. What its query has stays as it is written, because signatures and servers read it so.
 */
export function appendQueryParameters(address: string, pairs: readonly QueryParameter[]): string {
  if (pairs.length === 0) return address;
  const [before, query = '', fragment] = splitAddress(address);
  return joinAddress(before, query, encodeParameters(pairs), fragment);
}

const parameterName = (part: string) => [...new URLSearchParams(part).keys()][0];

/**
 * Sets a parameter of an address: in place of the first of its name, without the others. The rest stays as it is
 * written.
 */
export function setQueryParameter(address: string, name: string, value: string): string {
  const [before, query = '', fragment] = splitAddress(address);
  const parts = query.split('&');
  const first = parts.findIndex((part) => parameterName(part) === name);
  if (first === -1) return joinAddress(before, query, encodeParameters([[name, value]]), fragment);
  const kept = parts.flatMap((part, at) =>
    at === first ? [encodeParameters([[name, value]])] : parameterName(part) === name ? [] : [part],
  );
  return `${before}?${kept.join('&')}${fragment}`;
}

/** The address without a parameter. */
export function removeQueryParameter(address: string, name: string): string {
  const [before, query, fragment] = splitAddress(address);
  const kept = query?.split('&').filter((part) => parameterName(part) !== name);
  return `${before}${kept && kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`;
}

/** The path and query of a request. The query is as it is written, except for characters that a query cannot have. */
export function requestTarget(address: string | URL, url: URL): string {
  const written = typeof address === 'string' ? splitAddress(address)[1] : undefined;
  // The query of a special scheme would get `%27` for an apostrophe, which is one that a query can have.
  return written === undefined
    ? `${url.pathname}${url.search}`
    : `${url.pathname}?${new URL(`x:/?${written}`).search.slice(1)}`;
}

/** An absolute address; its query is as it is written. */
export function resolveAddress(address: string, base: string): string {
  const url = new URL(address, base);
  return `${url.protocol}//${url.host}${requestTarget(address, url)}`;
}
