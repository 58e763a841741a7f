/** The request of an http_request node with resolved expressions. */
export interface ResolvedHttpRequest {
  url?: unknown;
  method?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
}

const quoteShellArgument = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const textOrJson = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const fieldEntries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** `a=1&b=2`; a list repeats the name, null is left out. */
const encodePairs = (value: unknown): string =>
  fieldEntries(value)
    .flatMap(([name, entry]) => [entry].flat().map((each) => [name, each] as const))
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOrJson(each))}`)
    .join('&');

/** The body as sent, with the default Content-Type of the node. */
function encodeCurlBody(body: unknown, type: string): { data?: string; type?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string')
    return { data: body, type: isJsonDocument(body) ? 'application/json' : 'text/plain; charset=utf-8' };
  if (type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return { data: encodePairs(body) };
  return { data: JSON.stringify(body), type: 'application/json' };
}

function isJsonDocument(text: string): boolean {
  try {
    return /^\s*[[{]/.test(text) && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** The request as a cURL command, without the headers of a credential. */
export function buildCurlCommand({ url, method = 'GET', query, headers, body }: ResolvedHttpRequest): string {
  const parameters = encodePairs(query);
  const [address = ''] = textOrJson(url ?? '').split('#');
  const given = fieldEntries(headers).filter(([, value]) => value !== null);
  const [, type] = given.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const { data, type: ownType } = method === 'HEAD' ? {} : encodeCurlBody(body, textOrJson(type ?? ''));
  const way =
    method === 'HEAD' ? ['--head'] : method === 'GET' && data === undefined ? [] : [`-X ${textOrJson(method)}`];
  return [
    `curl ${quoteShellArgument(parameters ? `${address}${address.includes('?') ? '&' : '?'}${parameters}` : address)}`,
    ...way,
    ...(ownType && type === undefined ? [`-H ${quoteShellArgument(`Content-Type: ${ownType}`)}`] : []),
    ...given.map(([name, value]) => `-H ${quoteShellArgument(`${name}: ${textOrJson(value)}`)}`),
    ...(data === undefined ? [] : [`--data-raw ${quoteShellArgument(data)}`]),
  ].join(' \\\n  ');
}
