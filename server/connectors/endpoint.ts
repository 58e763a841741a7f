import type { Connector, ConnectorOperation } from './connector';
import { slotsFrom } from './authorization/grant';
import { textOf, type OpenCredential } from './open-credential';
import type { Registration } from './authorization/registration';
import { fill, slotsOf } from './url-template';
import { NodeFailure } from '@/server/errors/node-failure';

/** Where a connector's API is for one credential. */
export function apiBase(
  connector: Connector,
  credential: OpenCredential,
  registration: Registration | null,
  api: string | undefined,
): URL {
  const instanceUrl = textOf(credential, 'instanceUrl');
  const real = (api === undefined ? undefined : connector.apis?.[api]) ?? connector.apiUrl ?? instanceUrl;
  const address = fill(registration?.apiUrl ?? real ?? '', {
    ...slotsFrom(connector, credential.config),
    instance_url: instanceUrl,
    account_id: textOf(credential, 'accountId'),
  });
  if (address === '' || slotsOf(address).length > 0) {
    const message = `The credential "${credential.name}" has no address of ${connector.name}: connect it again.`;
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

/** One call without its credential. */
export interface ApiCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

const asText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(asText).join(',')
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value);

/** Adds parameters to an address; lists are joined with commas. */
export function addQuery(url: URL, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, asText(value));
  }
}

const pick = (values: Record<string, unknown>, shape: object | undefined, names: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.keys(shape ?? {}).flatMap((name) =>
      values[name] === undefined ? [] : [[names[name] ?? name, values[name]]],
    ),
  );

/** An operation with its parameters in their places. */
export function operationCall(
  connector: Connector,
  operation: ConnectorOperation,
  base: URL,
  values: Record<string, unknown>,
): ApiCall {
  const { method, inPath, inQuery, inBody, names, wrap, wholeBody } = operation;
  const inSlots = Object.keys(inPath ?? {}).map((name) => [name, String(values[name])] as const);
  const climbing = inSlots.find(([, value]) => /^\.{1,2}$/.test(value));
  if (climbing)
    throw new NodeFailure('CONFIG', `parameters.${climbing[0]}: "${climbing[1]}" is not a valid name.`, false);
  const path = fill(operation.path, Object.fromEntries(inSlots));
  const url = addressWithin(base, path);
  addQuery(url, { ...operation.query, ...pick(values, inQuery, names) });
  const fields = pick(values, inBody, names);
  const content = wholeBody ? values[wholeBody] : wrap ? { [wrap]: fields } : fields;
  const body = inBody ? JSON.stringify(content ?? {}) : undefined;
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    method,
    url,
    headers: { Accept: 'application/json', ...type, ...connector.headers, ...operation.headers },
    body,
  };
}
