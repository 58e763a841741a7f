/** The request of an http_request node with resolved expressions. */
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

/** `a=1&b=2`; a list repeats the name, null is left out. */
const pairs = (value: unknown): string =>
  entriesOf(value)
    .flatMap(([name, entry]) => [entry].flat().map((each) => [name, each] as const))
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(each))}`)
    .join('&');

/** The body as sent, with the default Content-Type of the node. */
function content(body: unknown, type: string): { data?: string; type?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string')
    return { data: body, type: isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' };
  if (type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return { data: pairs(body) };
  return { data: JSON.stringify(body), type: 'application/json' };
}

function isJson(text: string): boolean {
  try {
    return /^\s*[[{]/.test(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** The request as a cURL command, without the headers of a credential. */
export function curlCommand({ url, method = 'GET', query, headers, body }: Request): string {
  const parameters = pairs(query);
  const [address = ''] = asText(url ?? '').split('#');
  const given = entriesOf(headers).filter(([, value]) => value !== null);
  const [, type] = given.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const { data, type: ownType } = method === 'HEAD' ? {} : content(body, asText(type ?? ''));
  const way = method === 'HEAD' ? ['--head'] : method === 'GET' && data === undefined ? [] : [`-X ${asText(method)}`];
  return [
    `curl ${quoted(parameters ? `${address}${address.includes('?') ? '&' : '?'}${parameters}` : address)}`,
    ...way,
    ...(ownType && type === undefined ? [`-H ${quoted(`Content-Type: ${ownType}`)}`] : []),
    ...given.map(([name, value]) => `-H ${quoted(`${name}: ${asText(value)}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${quoted(data)}`]),
  ].join(' \\\n  ');
}
