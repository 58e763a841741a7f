import { bagOf, DocumentFault, fieldOf, lineOf, listOf, textOf, type ApiDocument, type Bag } from './document';
import type { Reading } from './record';

const MAX_SERVERS = 20;

/** The address of a server, or why it is none. */
function addressOf(text: string, base: string | null): { url: string } | { problem: string } {
  const shown = lineOf(text, 200);
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

/** `{name}` replaced by the defaults of the variables. */
function withDefaults(template: string, variables: Bag): string {
  return template.replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = bagOf(fieldOf(variables, name));
    const value = fieldOf(variable, 'default') ?? listOf(fieldOf(variable, 'enum'))[0];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole;
  });
}

/** The addresses in a list of servers. */
const templatesIn = (servers: unknown): string[] =>
  listOf(servers)
    .slice(0, MAX_SERVERS)
    .flatMap((server) => {
      const url = textOf(server, 'url');
      return url === undefined ? [] : [withDefaults(url, bagOf(fieldOf(server, 'variables')))];
    });

/** Swagger 2.0: schemes, host and base path. */
function swaggerTemplates(root: Bag, base: string | null): string[] {
  const source = base === null ? undefined : new URL(base);
  const host = textOf(root, 'host') ?? source?.host;
  const path = textOf(root, 'basePath') ?? '';
  if (host === undefined) return [path];
  const schemes = listOf(fieldOf(root, 'schemes')).filter((one) => one === 'https' || one === 'http');
  const [scheme = source?.protocol.slice(0, -1) ?? 'https'] = schemes.toSorted().toReversed();
  return [`${scheme}://${host}${path}`];
}

export interface Servers {
  /** The base address of the API. */
  main: string;
  /** The addresses that the document offers, the main one first. */
  offered: string[];
}

/** The servers of a document. Throws DocumentFault if it has none that can be called. */
export function serversOf(
  { root, isSwagger }: ApiDocument,
  { server, base }: Pick<Reading, 'server' | 'base'>,
): Servers {
  const templates = isSwagger ? swaggerTemplates(root, base) : templatesIn(fieldOf(root, 'servers'));
  // OpenAPI: without servers the API is where its document is.
  const addresses = (templates.length > 0 ? templates : ['/']).map((one) => addressOf(one, base));
  const urls = addresses.flatMap((one) => ('url' in one ? [one.url] : []));
  if (server !== null) {
    const chosen = addressOf(server, null);
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
export function ownServer(place: Bag, base: string | null): string | undefined {
  const [template] = templatesIn(fieldOf(place, 'servers'));
  const address = template === undefined ? undefined : addressOf(template, base);
  return address && 'url' in address ? address.url : undefined;
}
