import { bagOf, DocumentFault, fieldOf, lineOf, parseDocument, textOf, type ApiDocument } from './document';
import { findOperations, readOperation, requirementsOf, type Found } from './operations';
import {
  MAX_OPERATIONS,
  MAX_RECORD,
  type ApiOperation,
  type Fault,
  type ReadDocument,
  type Reading,
  type SkippedOperation,
} from './record';
import { References, Unusable } from './references';
import { Security } from './security';
import { ownServer, serversOf } from './servers';

/** The servers of single operations. */
const MAX_SERVERS = 20;

/** Names for the servers of single operations. */
class OwnServers {
  readonly byName: Record<string, string> = {};

  constructor(
    private readonly main: string,
    private readonly base: string | null,
  ) {}

  /** The name of the server of an operation; undefined: the main one. Throws Unusable beyond the limit. */
  nameOf({ operation, item, at }: Found): string | undefined {
    const url = ownServer(operation, this.base) ?? ownServer(item, this.base);
    if (url === undefined || url === this.main) return undefined;
    const known = Object.entries(this.byName).find(([, address]) => address === url)?.[0];
    if (known !== undefined) return known;
    const number = Object.keys(this.byName).length + 1;
    if (number > MAX_SERVERS) throw new Unusable(at, `it is on one of more than ${MAX_SERVERS} further servers`);
    this.byName[`server${number}`] = url;
    return `server${number}`;
  }
}

/** The operations that are selected; the others are read to learn which of them can be used. */
function isSelected(selection: Reading['selection'], wanted: ReadonlySet<string>, id: string): boolean {
  return selection === 'all' || (selection !== 'none' && wanted.has(id));
}

/** A GET without required parameters: one about the account itself, else the first one. */
function probeOf(operations: readonly ApiOperation[]): string | null {
  const simple = operations.filter(
    ({ method, parameters, api, isPublic, isFile }) =>
      method === 'GET' && api === undefined && !isPublic && !isFile && parameters.every((one) => !one.isRequired),
  );
  const about = simple.find(({ path }) => /\/(me|self|user|account|profile|whoami|current[-_]?user)$/i.test(path));
  return (about ?? simple[0])?.path ?? null;
}

function requireKnown(wanted: ReadonlySet<string>, found: readonly Found[]): void {
  const known = new Set(found.map(({ summary }) => summary.id));
  const unknown = [...wanted].filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new DocumentFault(`are not in the document: ${lineOf(unknown.join(', '), 200)}`, 'operations');
}

function requireSize(operations: readonly ApiOperation[]): void {
  const choose = 'choose fewer with `operations`';
  if (operations.length > MAX_OPERATIONS)
    throw new DocumentFault(`are ${operations.length}, more than ${MAX_OPERATIONS}: ${choose}`, 'operations');
  if (JSON.stringify(operations).length > MAX_RECORD)
    throw new DocumentFault(`are larger than ${MAX_RECORD} characters together: ${choose}`, 'operations');
}

/** Reads a document as `reading` says. */
function read(document: ApiDocument, { selection, isLenient = false, server, base }: Reading): ReadDocument {
  const { root } = document;
  const references = new References(root);
  const { main, offered: servers } = serversOf(document, { server, base });
  // OpenAPI: relative URLs belong to the server.
  const security = new Security(document, references, main);
  const own = new OwnServers(main, base);
  const { found, others } = findOperations(document, references);
  const wanted = new Set(Array.isArray(selection) ? selection : []);
  if (!isLenient) requireKnown(wanted, found);
  const skipped: SkippedOperation[] = [...others];
  const usable: ApiOperation[] = [];
  for (const one of found) {
    const { summary, operation } = one;
    try {
      const isWanted = isSelected(selection, wanted, summary.id);
      usable.push(readOperation(document, one, references, { api: own.nameOf(one), isSelected: isWanted }));
      security.count(requirementsOf(document, operation));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      if (wanted.has(summary.id) && !isLenient)
        throw new DocumentFault(`${summary.id} cannot be used: ${error.message}`, 'operations');
      skipped.push({ method: summary.method, path: summary.path, reason: error.message });
    }
  }
  if (usable.length === 0) {
    const [first] = skipped;
    throw new DocumentFault(first ? `has no operation that can be used: ${first.reason}` : 'has no operations');
  }
  const operations = usable.filter(({ id }) => isSelected(selection, wanted, id));
  requireSize(operations);
  const { authentication, notes } = security.authentication();
  const info = bagOf(fieldOf(root, 'info'));
  const isUsable = new Set(usable.map(({ id }) => id));
  return {
    title: lineOf(fieldOf(info, 'title'), 200),
    description: lineOf(textOf(info, 'summary') ?? fieldOf(info, 'description'), 500),
    version: lineOf(String(fieldOf(info, 'version') ?? ''), 100),
    frame: {
      server: main,
      servers: own.byName,
      authentication,
      probe: probeOf(usable),
      ...(server === null ? {} : { isServerChosen: true }),
    },
    servers,
    notes,
    offered: found.flatMap(({ summary }) => (isUsable.has(summary.id) ? [summary] : [])),
    skipped,
    operations,
  };
}

/** What a document says, or why it cannot be used. */
export function readDocument(text: string, reading: Reading): ReadDocument | { fault: Fault } {
  try {
    return read(parseDocument(text), reading);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return { fault: { message: error.message, field: error.field } };
  }
}
