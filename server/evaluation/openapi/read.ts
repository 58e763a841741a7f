import { addParameterChoices, type ChoiceFacts } from './choices';
import {
  objectOrEmpty,
  DocumentFault,
  readOwnField,
  toSingleLine,
  parseOpenApiDocument,
  textField,
  type OpenApiDocument,
} from './document';
import { findDocumentOperations, compileOperation, operationRequirements, type UnreadOperation } from './operations';
import {
  MAX_CONNECTOR_OPERATIONS,
  MAX_OPERATIONS_JSON,
  type ApiOperation,
  type DocumentRejection,
  type CompiledDocument,
  type DocumentReadOptions,
  type SkippedOperation,
} from './record';
import { ReferenceResolver, UnusableOperationError } from './references';
import { SecuritySchemes } from './security';
import { operationServerUrl, chooseServers } from './servers';

/** The maximum number of servers that single operations name beside the main one. */
const MAX_OPERATION_SERVERS = 20;

/** Gives names to the servers of single operations. */
class OperationServers {
  readonly byName: Record<string, string> = {};

  constructor(
    private readonly main: string,
    private readonly base: string | null,
  ) {}

  /**
   * The name of the server of an operation; undefined: the main one. Throws UnusableOperationError beyond the limit.
   */
  serverName({ operation, item, at }: UnreadOperation): string | undefined {
    const url = operationServerUrl(operation, this.base) ?? operationServerUrl(item, this.base);
    if (url === undefined || url === this.main) return undefined;
    const known = Object.entries(this.byName).find(([, address]) => address === url)?.[0];
    if (known !== undefined) return known;
    const number = Object.keys(this.byName).length + 1;
    if (number > MAX_OPERATION_SERVERS)
      throw new UnusableOperationError(at, `it is on one of more than ${MAX_OPERATION_SERVERS} further servers`);
    this.byName[`server${number}`] = url;
    return `server${number}`;
  }
}

/** Whether an operation is selected. The others are read as well, to learn which of them can be used. */
function isOperationSelected(
  selection: DocumentReadOptions['selection'],
  wanted: ReadonlySet<string>,
  id: string,
): boolean {
  return selection === 'all' || (selection !== 'none' && wanted.has(id));
}

/** A GET without required parameters: one about the account itself, else the first one. */
function chooseProbePath(operations: readonly ApiOperation[]): string | null {
  const simple = operations.filter(
    ({ method, parameters, api, isPublic, isFile }) =>
      method === 'GET' && api === undefined && !isPublic && !isFile && parameters.every((one) => !one.isRequired),
  );
  const about = simple.find(({ path }) => /\/(me|self|user|account|profile|whoami|current[-_]?user)$/i.test(path));
  return (about ?? simple[0])?.path ?? null;
}

function requireKnownOperations(wanted: ReadonlySet<string>, found: readonly UnreadOperation[]): void {
  const known = new Set(found.map(({ summary }) => summary.id));
  const unknown = [...wanted].filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new DocumentFault(`are not in the document: ${toSingleLine(unknown.join(', '), 200)}`, 'operations');
}

function requireOperationLimits(operations: readonly ApiOperation[]): void {
  const choose = 'choose fewer with `operations`';
  if (operations.length > MAX_CONNECTOR_OPERATIONS)
    throw new DocumentFault(`are ${operations.length}, more than ${MAX_CONNECTOR_OPERATIONS}: ${choose}`, 'operations');
  if (JSON.stringify(operations).length > MAX_OPERATIONS_JSON)
    throw new DocumentFault(`are larger than ${MAX_OPERATIONS_JSON} characters together: ${choose}`, 'operations');
}

/** Compiles a parsed document. Throws DocumentFault. */
function compileDocument(
  document: OpenApiDocument,
  { selection, isLenient = false, server, base }: DocumentReadOptions,
): CompiledDocument {
  const { root } = document;
  const references = new ReferenceResolver(root);
  const { main, offered: servers } = chooseServers(document, { server, base });
  // OpenAPI: relative URLs belong to the server.
  const security = new SecuritySchemes(document, references, main);
  const own = new OperationServers(main, base);
  const { found, others } = findDocumentOperations(document, references);
  const wanted = new Set(Array.isArray(selection) ? selection : []);
  if (!isLenient) requireKnownOperations(wanted, found);
  const skipped: SkippedOperation[] = [...others];
  const usable: ApiOperation[] = [];
  const facts: ChoiceFacts = { lists: new Map(), declared: new Map() };
  for (const one of found) {
    const { summary, operation } = one;
    try {
      const isWanted = isOperationSelected(selection, wanted, summary.id);
      usable.push(
        compileOperation(document, one, references, { api: own.serverName(one), isSelected: isWanted }, facts),
      );
      security.count(operationRequirements(document, operation));
    } catch (error) {
      if (!(error instanceof UnusableOperationError)) throw error;
      if (wanted.has(summary.id) && !isLenient)
        throw new DocumentFault(`${summary.id} cannot be used: ${error.message}`, 'operations');
      skipped.push({ method: summary.method, path: summary.path, reason: error.message });
    }
  }
  if (usable.length === 0) {
    const [first] = skipped;
    throw new DocumentFault(first ? `has no operation that can be used: ${first.reason}` : 'has no operations');
  }
  // Only operations that the connector has can list.
  const operations = addParameterChoices(
    usable.filter(({ id }) => isOperationSelected(selection, wanted, id)),
    facts,
  );
  requireOperationLimits(operations);
  const { authentication, notes, needsAppRegistration } = security.chooseAuthentication();
  const info = objectOrEmpty(readOwnField(root, 'info'));
  const isUsable = new Set(usable.map(({ id }) => id));
  return {
    title: toSingleLine(readOwnField(info, 'title'), 200),
    description: toSingleLine(textField(info, 'summary') ?? readOwnField(info, 'description'), 500),
    version: toSingleLine(String(readOwnField(info, 'version') ?? ''), 100),
    frame: {
      server: main,
      servers: own.byName,
      authentication,
      probe: chooseProbePath(usable),
      ...(server === null ? {} : { isServerChosen: true }),
    },
    servers,
    notes,
    needsAppRegistration,
    offered: found.flatMap(({ summary }) => (isUsable.has(summary.id) ? [summary] : [])),
    skipped,
    operations,
  };
}

/** Compiles a document, or returns why it cannot be used. */
export function readOpenApiDocument(
  text: string,
  reading: DocumentReadOptions,
): CompiledDocument | { fault: DocumentRejection } {
  try {
    return compileDocument(parseOpenApiDocument(text), reading);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return { fault: { message: error.message, field: error.field } };
  }
}
