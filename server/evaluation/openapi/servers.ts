import {
  objectOrEmpty,
  DocumentFault,
  readOwnField,
  toSingleLine,
  listOrEmpty,
  textField,
  type OpenApiDocument,
  type OpenApiObject,
} from './document';
import type { DocumentReadOptions } from './record';

const MAX_DOCUMENT_SERVERS = 20;

/** The address of a server, or the reason why it cannot be used. */
function resolveServerUrl(text: string, base: string | null): { url: string } | { problem: string } {
  const shown = toSingleLine(text, 200);
  if (!URL.canParse(text, base ?? undefined)) {
    const problem = URL.canParse(text, 'https://example.com')
      ? `"${shown}" is not a whole URL`
      : `"${shown}" is not a URL`;
    return { problem };
  }
  const url = new URL(text, base ?? undefined);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { problem: `"${shown}" is not an http or https URL` };
  if (url.username !== '' || url.password !== '')
    return { problem: 'a server must not contain a user name or password' };
  url.search = '';
  url.hash = '';
  return { url: url.href.replace(/\/+$/, '') };
}

/** Replaces each `{name}` by the default of its variable. */
function fillVariableDefaults(template: string, variables: OpenApiObject): string {
  return template.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = objectOrEmpty(readOwnField(variables, name));
    const value = readOwnField(variable, 'default') ?? listOrEmpty(readOwnField(variable, 'enum'))[0];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

/** The addresses in a list of servers. */
const serverUrlTemplates = (servers: unknown): string[] =>
  listOrEmpty(servers)
    .slice(0, MAX_DOCUMENT_SERVERS)
    .flatMap((server) => {
      const url = textField(server, 'url');
      return url === undefined ? [] : [fillVariableDefaults(url, objectOrEmpty(readOwnField(server, 'variables')))];
    });

/** Swagger 2.0: schemes, host and base path. */
function swaggerServerTemplates(root: OpenApiObject, base: string | null): string[] {
  const source = base === null ? undefined : new URL(base);
  const host = textField(root, 'host') ?? source?.host;
  const path = textField(root, 'basePath') ?? '';
  if (host === undefined) return [path];
  const schemes = listOrEmpty(readOwnField(root, 'schemes')).filter((one) => one === 'https' || one === 'http');
  const [scheme = source?.protocol.slice(0, -1) ?? 'https'] = schemes.toSorted().toReversed();
  return [`${scheme}://${host}${path}`];
}

export interface DocumentServers {
  /** The base address of the API. */
  main: string;
  /** The addresses that the document offers, the main one first. */
  offered: string[];
}

/** The servers of a document. Throws DocumentFault if it has none that can be called. */
export function chooseServers(
  { root, isSwagger }: OpenApiDocument,
  { server, base }: Pick<DocumentReadOptions, 'server' | 'base'>,
): DocumentServers {
  const templates = isSwagger ? swaggerServerTemplates(root, base) : serverUrlTemplates(readOwnField(root, 'servers'));
  // OpenAPI: without servers the API is where its document is.
  const addresses = (templates.length > 0 ? templates : ['/']).map((one) => resolveServerUrl(one, base));
  const urls = addresses.flatMap((one) => ('url' in one ? [one.url] : []));
  if (server !== null) {
    const chosen = resolveServerUrl(server, null);
    if ('problem' in chosen) throw new DocumentFault(chosen.problem, 'server');
    return { main: chosen.url, offered: [...new Set([chosen.url, ...urls])] };
  }
  const [main] = urls;
  if (main !== undefined) return { main, offered: [...new Set(urls)] };
  const [first] = addresses;
  const reason =
    templates.length === 0 ? 'the document names no server' : first && 'problem' in first ? first.problem : '';
  throw new DocumentFault(`is needed: ${reason}`, 'server');
}

/** The server of an operation or path that has its own; undefined: the main one, or none that can be called. */
export function operationServerUrl(place: OpenApiObject, base: string | null): string | undefined {
  const [template] = serverUrlTemplates(readOwnField(place, 'servers'));
  const address = template === undefined ? undefined : resolveServerUrl(template, base);
  return address && 'url' in address ? address.url : undefined;
}
