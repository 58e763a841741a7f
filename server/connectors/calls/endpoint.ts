import { isFileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/errors/node-failure';
import { addParameters, removeParameter } from '@/server/outbound/query';
import type { QueryStyle } from '@/server/openapi/record';
import { slotsFrom } from '../authorization/grant';
import type { Connector } from '../connector';
import { textOf, type OpenCredential } from '../open-credential';
import type { AnswerFile, ApiBody, ApiRequest, DataOperation } from '../operation';
import { isAt } from '../token-access';
import { fill, slotsOf } from '../url-template';

/** Where a connector's API is for one credential. `override`: the address in place of the provider's. */
export function apiBase(
  connector: Connector,
  credential: OpenCredential | undefined,
  override: string | undefined,
  api: string | undefined,
): URL {
  const instanceUrl = credential && textOf(credential, 'instanceUrl');
  const real = (api === undefined ? undefined : connector.apis?.[api]) ?? connector.apiUrl ?? instanceUrl;
  const address = fill(override ?? real ?? '', {
    ...slotsFrom(connector, credential?.config ?? {}),
    instance_url: instanceUrl,
    account_id: credential && textOf(credential, 'accountId'),
  });
  // A token may be a part of the path: it is filled in when the request is sent.
  const tokens = credential?.type === 'token' ? (connector.token?.fields ?? []).map(({ name }) => name) : [];
  const isFilled = slotsOf(address).every((slot) => tokens.includes(slot));
  if (!URL.canParse(address) || !isFilled) {
    const message = `The credential "${credential?.name}" has no address of ${connector.name}: connect it again.`;
    throw new NodeFailure('CREDENTIAL_INCOMPLETE', message, false);
  }
  return new URL(address);
}

const invalidPath = (path: string) =>
  new NodeFailure(
    'CONFIG',
    `parameters.path: "${path.slice(0, 100)}" must begin with / and stay within the API.`,
    false,
  );

/** An address below the API's base, for any spelling of the path. */
export function addressWithin(base: URL, path: string): URL {
  const root = base.pathname.replace(/\/+$/, '');
  if (!path.startsWith('/') || /[\\\u0000-\u0020\u007f]/.test(path)) throw invalidPath(path);
  let url: URL;
  try {
    url = new URL(`${base.origin}${root}${path}`);
  } catch {
    throw invalidPath(path);
  }
  const isWithin =
    url.origin === base.origin && (root === '' || url.pathname === root || url.pathname.startsWith(`${root}/`));
  if (!isWithin || url.username !== '' || url.hash !== '') throw invalidPath(path);
  return url;
}

/** The next page's address, which must belong to the same API. */
export function nextAddress(current: URL, next: string): URL {
  const url = URL.canParse(next, current.href) ? new URL(next, current) : undefined;
  if (url?.origin === current.origin) return url;
  throw new NodeFailure(
    'BAD_RESPONSE',
    `${current.host} returned a next page at another address, which is refused.`,
    false,
  );
}

/** An address that an API returned: of the API itself, or of a further host of its provider. */
function returnedAddress({ hosts = [], name }: Connector, base: URL, address: string): URL {
  const url = new URL(address);
  if (url.origin === base.origin || isAt(hosts, url)) return url;
  throw new NodeFailure('BAD_RESPONSE', `${name} returned an address at ${url.host}, which is refused.`, false);
}

/** One call without its credential. */
export interface ApiCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: ApiBody | undefined;
  /** The content of the answer becomes a file. */
  asFile?: AnswerFile | undefined;
}

const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(asText).join(',')
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value);

/** A parameter of a query as pairs. */
function queryPairs(name: string, value: unknown, style: QueryStyle): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, asText(value)]];
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (style === 'repeat') return value.map((item) => [name, asText(item)]);
    const separator = style === 'space' ? ' ' : style === 'pipe' ? '|' : ',';
    return [[name, value.map(asText).join(separator)]];
  }
  if (style === 'deep') return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, asText(inner)]);
  return style === 'repeat'
    ? Object.entries(value).map(([key, inner]) => [key, asText(inner)])
    : [[name, asText(value)]];
}

/** Adds parameters to an address; without a style, lists are joined with commas. */
export function addQuery(url: URL, query: Record<string, unknown>, styles: Record<string, QueryStyle> = {}): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    const rest = removeParameter(url.href, name);
    url.href = addParameters(rest, queryPairs(name, value, style ?? 'comma'));
  }
}

const pick = (values: Record<string, unknown>, shape: object | undefined, names: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.keys(shape ?? {}).flatMap((name) =>
      values[name] === undefined ? [] : [[names[name] ?? name, values[name]]],
    ),
  );

const acceptOf = (asFile: object | undefined) => ({ Accept: asFile ? '*/*' : 'application/json' });

/** An operation with its parameters in their places. */
export function operationCall(
  connector: Connector,
  operation: DataOperation,
  base: URL,
  values: Record<string, unknown>,
): ApiCall {
  const { method, inPath, inQuery, inHeader, names, styles, asFile } = operation;
  const inSlots = Object.keys(inPath ?? {}).map((name) => [name, asText(values[name])] as const);
  const climbing = inSlots.find(([, value]) => /^\.{1,2}$/.test(value));
  if (climbing)
    throw new NodeFailure('CONFIG', `parameters.${climbing[0]}: "${climbing[1]}" is not a valid name.`, false);
  const path = fill(operation.path, Object.fromEntries(inSlots));
  const url = addressWithin(base, path);
  addQuery(url, { ...operation.query, ...pick(values, inQuery, names) }, styles);
  const inHeaders = Object.entries(pick(values, inHeader, names)).map(([name, value]) => [name, asText(value)]);
  return {
    method,
    url,
    headers: {
      ...acceptOf(asFile && {}),
      ...connector.headers,
      ...operation.headers,
      ...(Object.fromEntries(inHeaders) as Record<string, string>),
    },
    body: bodyOf(operation, values),
    asFile: asFile && {},
  };
}

function bodyOf(
  { inBody, names, wrap, wholeBody, constants, bodyAs = 'json', bodyType }: DataOperation,
  values: Record<string, unknown>,
): ApiBody | undefined {
  if (!inBody && !constants) return undefined;
  const fields = { ...constants, ...pick(values, inBody, names) };
  const content = wholeBody ? values[wholeBody] : wrap ? { [wrap]: fields } : fields;
  const type = bodyType === undefined ? {} : { type: bodyType };
  if (bodyAs === 'text')
    return content === undefined ? undefined : { as: 'text', text: asText(content), type: 'text/plain', ...type };
  // The content type of the document may be a pattern such as `image/*`: the file has its own.
  if (bodyAs === 'file') return isFileValue(content) ? { as: 'file', file: content } : undefined;
  if (bodyAs === 'form') return { as: 'form', fields: content as Record<string, unknown> };
  if (bodyAs === 'multipart') {
    const entries = Object.entries(fields);
    const files = entries.flatMap(([name, value]) => (isFileValue(value) ? [{ name, file: value }] : []));
    const others = Object.fromEntries(entries.filter(([, value]) => !isFileValue(value)));
    return { as: 'multipart', fields: others, files };
  }
  return { as: 'json', value: content ?? {}, ...type };
}

/** A request of an operation with steps. */
export function requestCall(connector: Connector, base: URL, request: ApiRequest): ApiCall {
  const { method = 'GET', path, query = {}, headers, body, asFile } = request;
  const url = URL.canParse(path) ? returnedAddress(connector, base, path) : addressWithin(base, path);
  addQuery(url, query);
  return { method, url, headers: { ...acceptOf(asFile), ...connector.headers, ...headers }, body, asFile };
}
