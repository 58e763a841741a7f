import { isFileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { appendQueryParameters, removeQueryParameter } from '@/server/network/outbound/query';
import type { QueryStyle } from '@/server/evaluation/openapi/record';
import { slotValues } from '../authorization/grant';
import type { ConnectorDefinition } from '../connector';
import { credentialText, type OpenCredential } from '../open-credential';
import type { ResponseFile, ApiRequestBody, ApiRequest, DataOperation } from '../operation';
import { isAtHosts } from '../token-access';
import { fillUrlTemplate, templateSlots } from '../url-template';

/** The base address of a connector's API for one credential. `override` replaces the provider's address. */
export function resolveApiBase(
  connector: ConnectorDefinition,
  credential: OpenCredential | undefined,
  override: string | undefined,
  api: string | undefined,
): URL {
  const instanceUrl = credential && credentialText(credential, 'instanceUrl');
  const real = (api === undefined ? undefined : connector.apis?.[api]) ?? connector.apiUrl ?? instanceUrl;
  const address = fillUrlTemplate(override ?? real ?? '', {
    ...slotValues(connector, credential?.config ?? {}),
    instance_url: instanceUrl,
    account_id: credential && credentialText(credential, 'accountId'),
  });
  // A token may be a part of the path: it is filled in when the request is sent.
  const tokens = credential?.type === 'token' ? (connector.token?.fields ?? []).map(({ name }) => name) : [];
  const isFilled = templateSlots(address).every((slot) => tokens.includes(slot));
  if (!URL.canParse(address) || !isFilled) {
    const message = `The credential "${credential?.name}" has no address of ${connector.name}: connect it again.`;
    throw new NodeFailure('CREDENTIAL_INCOMPLETE', message, false);
  }
  return new URL(address);
}

const invalidPathFailure = (path: string) =>
  new NodeFailure(
    'CONFIG',
    `parameters.path: "${path.slice(0, 100)}" must begin with / and stay within the API.`,
    false,
  );

/** Joins a path to the API's base address. No spelling of the path can lead outside of the base. */
export function resolveApiPath(base: URL, path: string): URL {
  const root = base.pathname.replace(/\/+$/, '');
  if (!path.startsWith('/') || /[\\\u0000-\u0020\u007f]/.test(path)) throw invalidPathFailure(path);
  let url: URL;
  try {
    url = new URL(`${base.origin}${root}${path}`);
  } catch {
    throw invalidPathFailure(path);
  }
  const isWithin =
    url.origin === base.origin && (root === '' || url.pathname === root || url.pathname.startsWith(`${root}/`));
  if (!isWithin || url.username !== '' || url.hash !== '') throw invalidPathFailure(path);
  return url;
}

/** The next page's address, which must belong to the same API. */
export function resolveNextPageUrl(current: URL, next: string): URL {
  const url = URL.canParse(next, current.href) ? new URL(next, current) : undefined;
  if (url?.origin === current.origin) return url;
  throw new NodeFailure(
    'BAD_RESPONSE',
    `${current.host} returned a next page at another address, which is refused.`,
    false,
  );
}

/** Accepts an address that an API returned if it belongs to the API itself or to a further host of its provider. */
function resolveReturnedUrl({ hosts = [], name }: ConnectorDefinition, base: URL, address: string): URL {
  const url = new URL(address);
  if (url.origin === base.origin || isAtHosts(hosts, url)) return url;
  throw new NodeFailure('BAD_RESPONSE', `${name} returned an address at ${url.host}, which is refused.`, false);
}

/** A call that is ready to be sent, except for its credential. */
export interface PreparedCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: ApiRequestBody | undefined;
  /** The content of the answer becomes a file. */
  asFile?: ResponseFile | undefined;
  /** An answer with this status is no failure. */
  acceptedStatus?: number | undefined;
}

const formatParameterText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(formatParameterText).join(',')
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value);

/** Writes a parameter of a query as pairs of name and value. */
function queryStylePairs(name: string, value: unknown, style: QueryStyle): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, formatParameterText(value)]];
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (style === 'repeat') return value.map((item) => [name, formatParameterText(item)]);
    const separator = style === 'space' ? ' ' : style === 'pipe' ? '|' : ',';
    return [[name, value.map(formatParameterText).join(separator)]];
  }
  if (style === 'deep')
    return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, formatParameterText(inner)]);
  return style === 'repeat'
    ? Object.entries(value).map(([key, inner]) => [key, formatParameterText(inner)])
    : [[name, formatParameterText(value)]];
}

/** Adds parameters to an address; without a style, lists are joined with commas. */
export function addQueryParameters(
  url: URL,
  query: Record<string, unknown>,
  styles: Record<string, QueryStyle> = {},
): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    const rest = removeQueryParameter(url.href, name);
    url.href = appendQueryParameters(rest, queryStylePairs(name, value, style ?? 'comma'));
  }
}

const pickParameters = (
  values: Record<string, unknown>,
  shape: object | undefined,
  names: Record<string, string> = {},
) =>
  Object.fromEntries(
    Object.keys(shape ?? {}).flatMap((name) =>
      values[name] === undefined ? [] : [[names[name] ?? name, values[name]]],
    ),
  );

const acceptHeader = (asFile: object | undefined) => ({ Accept: asFile ? '*/*' : 'application/json' });

/** Puts the parameters of an operation into its path, query, headers and body. */
export function prepareOperationCall(
  connector: ConnectorDefinition,
  operation: DataOperation,
  base: URL,
  values: Record<string, unknown>,
): PreparedCall {
  const { method, inPath, inQuery, inHeader, names, styles, asFile } = operation;
  const without = operation.pathWithout;
  const isLeftOut = without !== undefined && values[without.parameter] === undefined;
  const inSlots = Object.keys(inPath ?? {})
    .filter((name) => !isLeftOut || name !== without.parameter)
    .map((name) => [name, formatParameterText(values[name])] as const);
  const climbing = inSlots.find(([, value]) => /^\.{1,2}$/.test(value));
  if (climbing)
    throw new NodeFailure('CONFIG', `parameters.${climbing[0]}: "${climbing[1]}" is not a valid name.`, false);
  const path = fillUrlTemplate(isLeftOut ? without.path : operation.path, Object.fromEntries(inSlots));
  const url = resolveApiPath(base, path);
  addQueryParameters(url, { ...operation.query, ...pickParameters(values, inQuery, names) }, styles);
  const inHeaders = Object.entries(pickParameters(values, inHeader, names)).map(([name, value]) => [
    name,
    formatParameterText(value),
  ]);
  return {
    method,
    url,
    headers: {
      ...acceptHeader(asFile && {}),
      ...connector.headers,
      ...operation.headers,
      ...(Object.fromEntries(inHeaders) as Record<string, string>),
    },
    body: buildOperationBody(operation, values),
    asFile: asFile && {},
  };
}

function buildOperationBody(
  { inBody, names, wrap, wholeBody, constants, bodyAs = 'json', bodyType }: DataOperation,
  values: Record<string, unknown>,
): ApiRequestBody | undefined {
  if (!inBody && !constants) return undefined;
  const fields = { ...constants, ...pickParameters(values, inBody, names) };
  const content = wholeBody ? values[wholeBody] : wrap ? { [wrap]: fields } : fields;
  const type = bodyType === undefined ? {} : { type: bodyType };
  if (bodyAs === 'text')
    return content === undefined
      ? undefined
      : { as: 'text', text: formatParameterText(content), type: 'text/plain', ...type };
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

/** Prepares one request of an operation with steps. */
export function prepareRequestCall(connector: ConnectorDefinition, base: URL, request: ApiRequest): PreparedCall {
  const { method = 'GET', path, query = {}, headers, body, asFile, acceptedStatus } = request;
  const url = URL.canParse(path) ? resolveReturnedUrl(connector, base, path) : resolveApiPath(base, path);
  addQueryParameters(url, query);
  const all = { ...acceptHeader(asFile), ...connector.headers, ...headers };
  return { method, url, headers: all, body, asFile, acceptedStatus };
}
