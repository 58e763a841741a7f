/** A request as an http_request node makes it, its expressions resolved. */
export interface Request {
  url?: unknown;
  method?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** The same request for a terminal. What a credential adds is not in it. */
export function curlCommand({ url, method = 'GET', query, headers, body }: Request): string {
  const parameters = entriesOf(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((each) => (each === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(asText(each))}`])),
  );
  const address = parameters.length
    ? `${asText(url)}${asText(url).includes('?') ? '&' : '?'}${parameters.join('&')}`
    : asText(url ?? '');
  const given = entriesOf(headers).filter(([, value]) => value !== null);
  const isJson = body !== undefined && typeof body !== 'string';
  const saysType = given.some(([name]) => name.toLowerCase() === 'content-type');
  return [
    `curl ${quoted(address)}`,
    ...(method === 'GET' && body === undefined ? [] : [`-X ${asText(method)}`]),
    ...(isJson && !saysType ? [`-H ${quoted('Content-Type: application/json')}`] : []),
    ...given.map(([name, value]) => `-H ${quoted(`${name}: ${asText(value)}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(asText(body))}`]),
  ].join(' \\\n  ');
}
