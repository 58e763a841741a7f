import { readBodyDefinition, withDefaultTitle } from './bodies';
import {
  objectOrEmpty,
  readOwnField,
  toSingleLine,
  listOrEmpty,
  textField,
  type OpenApiDocument,
  type OpenApiObject,
} from './document';
import { readListedItems, type ChoiceFacts, type DeclaredChoices } from './choices';
import { responseExample } from './examples';
import { UniqueNames, toOperationId, toParameterName, humanizeName } from './names';
import { isFileResponse, jsonResponseMedia, detectPaging } from './paging';
import { readOperationParts, type ParameterPart } from './parts';
import {
  MAX_LISTED_OPERATIONS,
  type ApiOperation,
  type ApiParameter,
  type OperationSummary,
  type QueryStyle,
} from './record';
import { UnusableOperationError, type ReferenceResolver } from './references';
import { needsNoCredential, readRequirements } from './security';
import { toValueSchema } from './schemas';

const SUPPORTED_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const UNSUPPORTED_METHODS = ['head', 'options', 'trace'];
/** Headers that the service sets itself or that belong to the connection: they are no parameters. */
const SERVICE_SET_HEADERS =
  /^(accept|content-type|authorization|cookie|host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|idempotency-key|proxy-.*)$/i;

/** An operation of a document that was not read yet. */
export interface UnreadOperation {
  summary: OperationSummary;
  /** Its place in the document. */
  at: string;
  /** Its path as written. */
  path: string;
  /** The object at the path, and the operation in it. */
  item: OpenApiObject;
  operation: OpenApiObject;
}

/** All operations of a document, and those that cannot be used by their method. */
export function findDocumentOperations(
  { root }: OpenApiDocument,
  references: ReferenceResolver,
): { found: UnreadOperation[]; others: { method: string; path: string; reason: string }[] } {
  // `request` is the call of any address, which every connector has.
  const names = new UniqueNames(['request']);
  const found: UnreadOperation[] = [];
  const others: { method: string; path: string; reason: string }[] = [];
  for (const [path, value] of Object.entries(objectOrEmpty(readOwnField(root, 'paths')))) {
    if (!path.startsWith('/')) continue;
    const item = references.resolveOrEmpty(value);
    for (const name of UNSUPPORTED_METHODS) {
      if (readOwnField(item, name) !== undefined)
        others.push({
          method: name.toUpperCase(),
          path: toSingleLine(path, 300),
          reason: 'the method is not supported',
        });
    }
    for (const method of SUPPORTED_METHODS) {
      const operation = readOwnField(item, method);
      if (operation === undefined || found.length >= MAX_LISTED_OPERATIONS) continue;
      const summary = summarizeOperation(objectOrEmpty(operation), method, path, names);
      found.push({
        summary,
        at: `paths.${toSingleLine(path, 300)}.${method}`,
        path,
        item,
        operation: objectOrEmpty(operation),
      });
    }
  }
  return { found, others: others.slice(0, MAX_LISTED_OPERATIONS) };
}

function summarizeOperation(
  operation: OpenApiObject,
  method: (typeof SUPPORTED_METHODS)[number],
  path: string,
  names: UniqueNames,
): OperationSummary {
  const byPath = toOperationId(`${method} ${path}`) || method;
  const theirs = toOperationId(textField(operation, 'operationId') ?? '');
  const title =
    toSingleLine(readOwnField(operation, 'summary'), 100) ||
    (theirs ? humanizeName(theirs) : `${method.toUpperCase()} ${toSingleLine(path, 90)}`);
  const [tag] = listOrEmpty(readOwnField(operation, 'tags'));
  const help = toSingleLine(readOwnField(operation, 'description'), 300);
  return {
    id: names.reserve(theirs || byPath, byPath),
    title,
    help: help === title ? '' : help,
    group: toSingleLine(tag, 100) || null,
    method: method.toUpperCase() as OperationSummary['method'],
    path: toSingleLine(path, 300),
    isDeprecated: readOwnField(operation, 'deprecated') === true,
  };
}

/** The security that applies to an operation: its own, or the document's. */
export const operationRequirements = ({ root }: OpenApiDocument, operation: OpenApiObject) =>
  readRequirements(readOwnField(operation, 'security') ?? readOwnField(root, 'security'));

const SWAGGER_QUERY_STYLES: Readonly<Record<string, QueryStyle>> = { multi: 'repeat', ssv: 'space', pipes: 'pipe' };

function parameterQueryStyle(
  { source: bag, isJson, in: place }: ParameterPart,
  type: string,
  isSwagger: boolean,
): QueryStyle | undefined {
  if (isJson) return 'json';
  if (place !== 'query' || (type !== 'array' && type !== 'object' && type !== 'any')) return undefined;
  if (isSwagger) return SWAGGER_QUERY_STYLES[textField(bag, 'collectionFormat') ?? ''];
  const style = textField(bag, 'style') ?? 'form';
  if (style === 'deepObject') return 'deep';
  if (style === 'spaceDelimited') return 'space';
  if (style === 'pipeDelimited') return 'pipe';
  return readOwnField(bag, 'explode') === false ? undefined : 'repeat';
}

/** The parameters of path, query and headers. Throws UnusableOperationError. */
function readUrlAndHeaderParameters(
  parts: ParameterPart[],
  references: ReferenceResolver,
  names: UniqueNames,
  isSwagger: boolean,
  at: string,
  declared: DeclaredChoices,
) {
  return parts.flatMap((part): ApiParameter[] => {
    const { name: theirs, in: place, isRequired, source: bag } = part;
    if (place === 'header' && SERVICE_SET_HEADERS.test(theirs)) return [];
    if (place !== 'path' && place !== 'query' && place !== 'header') {
      if (!isRequired) return [];
      throw new UnusableOperationError(at, `needs the ${place} "${toSingleLine(theirs, 100)}", which is not supported`);
    }
    if (theirs === '' || theirs.length > 500 || (place === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(theirs)))
      throw new UnusableOperationError(at, `"${toSingleLine(theirs, 100)}" is not a usable name of a parameter`);
    const description = toSingleLine(readOwnField(bag, 'description'), 300);
    const schema = toValueSchema(part.schema, references);
    const style = parameterQueryStyle(part, schema.type, isSwagger);
    const parameter: ApiParameter = {
      name: names.reserve(toParameterName(theirs), place),
      theirs,
      in: place,
      isRequired,
      ...(style ? { style } : {}),
      schema: withDefaultTitle({ ...schema, ...(description ? { description } : {}) }, theirs),
    };
    const said = readOwnField(bag, 'x-choices') ?? readOwnField(references.resolveOrEmpty(part.schema), 'x-choices');
    declared.set(parameter, objectOrEmpty(said));
    return [parameter];
  });
}

/**
 * Replaces the slots of a path by the names of its parameters. Throws UnusableOperationError for a slot without a
 * parameter.
 */
function pathWithParameterNames(path: string, parameters: readonly ApiParameter[], at: string): string {
  if (path.length > 1000) throw new UnusableOperationError(at.slice(0, 200), 'its path is too long');
  const named = new Map(parameters.filter((one) => one.in === 'path').map(({ theirs, name }) => [theirs, name]));
  return path.replaceAll(/\{([^{}]*)\}/g, (_, theirs: string) => {
    const name = named.get(theirs);
    if (name === undefined)
      throw new UnusableOperationError(at, `the parameter {${toSingleLine(theirs, 100)}} of the path is not described`);
    return `{${name}}`;
  });
}

/**
 * Compiles an operation to its record. `api` is the name of its server; undefined: the main one. The schemas of an
 * operation that is not selected are cut. Throws UnusableOperationError.
 */
export function compileOperation(
  document: OpenApiDocument,
  { summary, at, path, item, operation }: UnreadOperation,
  references: ReferenceResolver,
  { api, isSelected }: { api: string | undefined; isSelected: boolean },
  { lists, declared }: ChoiceFacts,
): ApiOperation {
  references.resetBudget(isSelected);
  // The parameter of connectors that fetches all pages.
  const names = new UniqueNames(['allPages']);
  const parts = readOperationParts(document, [item, operation], references, at);
  const parameters = readUrlAndHeaderParameters(parts.parameters, references, names, document.isSwagger, at, declared);
  const read =
    parts.body && summary.method !== 'GET'
      ? readBodyDefinition(parts.body, references, names, at, declared)
      : undefined;
  const answer = jsonResponseMedia(parts.response.content);
  const all = [
    ...parameters.filter((one) => one.in !== 'path' || path.includes(`{${one.theirs}}`)),
    ...(read?.parameters ?? []),
  ];
  const { isDeprecated, ...known } = summary;
  const paging = detectPaging(
    { method: summary.method, parameters: all },
    { headers: parts.response.headers, schema: answer && readOwnField(answer, 'schema') },
    references,
  );
  const listed = summary.method === 'GET' && answer && readListedItems(readOwnField(answer, 'schema'), references);
  if (listed) lists.set(summary.id, listed);
  const example = answer && responseExample(answer, references);
  return {
    ...known,
    path: pathWithParameterNames(path, all, at),
    ...(api === undefined ? {} : { api }),
    parameters: all,
    ...(read ? { body: read.body } : {}),
    ...(needsNoCredential(operationRequirements(document, operation)) ? { isPublic: true } : {}),
    ...(isDeprecated ? { isDeprecated: true } : {}),
    ...(isFileResponse(parts.response.content) ? { isFile: true } : {}),
    ...(paging ? { paging } : {}),
    ...(example === undefined ? {} : { example }),
  };
}
