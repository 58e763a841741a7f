import { readBody, titled } from './bodies';
import { bagOf, fieldOf, lineOf, listOf, textOf, type ApiDocument, type Bag } from './document';
import { exampleOf } from './examples';
import { Names, operationName, parameterName, titleOf } from './names';
import { isFileAnswer, jsonAnswer, pagingOf } from './paging';
import { partsOf, type ParameterPart } from './parts';
import { MAX_LISTED, type ApiOperation, type ApiParameter, type OperationSummary, type QueryStyle } from './record';
import { Unusable, type References } from './references';
import { isPublic, requirementsIn } from './security';
import { valueSchema } from './schemas';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const OTHER_METHODS = ['head', 'options', 'trace'];
/** Headers that the service sets by itself, and those that belong to the connection. */
const OWN_HEADERS =
  /^(accept|content-type|authorization|cookie|host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|idempotency-key|proxy-.*)$/i;

/** An operation of a document that was not read yet. */
export interface Found {
  summary: OperationSummary;
  /** Its place in the document. */
  at: string;
  /** Its path as written. */
  path: string;
  /** What stands at the path, and the operation. */
  item: Bag;
  operation: Bag;
}

/** All operations of a document, and those that cannot be used by their method. */
export function findOperations(
  { root }: ApiDocument,
  references: References,
): { found: Found[]; others: { method: string; path: string; reason: string }[] } {
  // `request` is the call of any address, which every connector has.
  const names = new Names(['request']);
  const found: Found[] = [];
  const others: { method: string; path: string; reason: string }[] = [];
  for (const [path, value] of Object.entries(bagOf(fieldOf(root, 'paths')))) {
    if (!path.startsWith('/')) continue;
    const item = references.find(value);
    for (const name of OTHER_METHODS) {
      if (fieldOf(item, name) !== undefined)
        others.push({ method: name.toUpperCase(), path: lineOf(path, 300), reason: 'the method is not supported' });
    }
    for (const method of METHODS) {
      const operation = fieldOf(item, method);
      if (operation === undefined || found.length >= MAX_LISTED) continue;
      const summary = summaryOf(bagOf(operation), method, path, names);
      found.push({ summary, at: `paths.${lineOf(path, 300)}.${method}`, path, item, operation: bagOf(operation) });
    }
  }
  return { found, others: others.slice(0, MAX_LISTED) };
}

function summaryOf(operation: Bag, method: (typeof METHODS)[number], path: string, names: Names): OperationSummary {
  const byPath = operationName(`${method} ${path}`) || method;
  const theirs = operationName(textOf(operation, 'operationId') ?? '');
  const title =
    lineOf(fieldOf(operation, 'summary'), 100) ||
    (theirs ? titleOf(theirs) : `${method.toUpperCase()} ${lineOf(path, 90)}`);
  const [tag] = listOf(fieldOf(operation, 'tags'));
  const help = lineOf(fieldOf(operation, 'description'), 300);
  return {
    id: names.take(theirs || byPath, byPath),
    title,
    help: help === title ? '' : help,
    group: lineOf(tag, 100) || null,
    method: method.toUpperCase() as OperationSummary['method'],
    path: lineOf(path, 300),
    isDeprecated: fieldOf(operation, 'deprecated') === true,
  };
}

/** The security that applies to an operation: its own, or the document's. */
export const requirementsOf = ({ root }: ApiDocument, operation: Bag) =>
  requirementsIn(fieldOf(operation, 'security') ?? fieldOf(root, 'security'));

const SWAGGER_STYLES: Readonly<Record<string, QueryStyle>> = { multi: 'repeat', ssv: 'space', pipes: 'pipe' };

function styleOf({ bag, isJson, in: place }: ParameterPart, type: string, isSwagger: boolean): QueryStyle | undefined {
  if (isJson) return 'json';
  if (place !== 'query' || (type !== 'array' && type !== 'object' && type !== 'any')) return undefined;
  if (isSwagger) return SWAGGER_STYLES[textOf(bag, 'collectionFormat') ?? ''];
  const style = textOf(bag, 'style') ?? 'form';
  if (style === 'deepObject') return 'deep';
  if (style === 'spaceDelimited') return 'space';
  if (style === 'pipeDelimited') return 'pipe';
  return fieldOf(bag, 'explode') === false ? undefined : 'repeat';
}

/** The parameters of path, query and headers. Throws Unusable. */
function readParameters(parts: ParameterPart[], references: References, names: Names, isSwagger: boolean, at: string) {
  return parts.flatMap((part): ApiParameter[] => {
    const { name: theirs, in: place, isRequired, bag } = part;
    if (place === 'header' && OWN_HEADERS.test(theirs)) return [];
    if (place !== 'path' && place !== 'query' && place !== 'header') {
      if (!isRequired) return [];
      throw new Unusable(at, `needs the ${place} "${lineOf(theirs, 100)}", which is not supported`);
    }
    if (theirs === '' || theirs.length > 500 || (place === 'header' && !/^[\w!#$%&'*+.^`|~-]+$/.test(theirs)))
      throw new Unusable(at, `"${lineOf(theirs, 100)}" is not a usable name of a parameter`);
    const description = lineOf(fieldOf(bag, 'description'), 300);
    const schema = valueSchema(part.schema, references);
    const style = styleOf(part, schema.type, isSwagger);
    return [
      {
        name: names.take(parameterName(theirs), place),
        theirs,
        in: place,
        isRequired,
        ...(style ? { style } : {}),
        schema: titled({ ...schema, ...(description ? { description } : {}) }, theirs),
      },
    ];
  });
}

/** The slots of a path are the names of its parameters. Throws Unusable for a slot without one. */
function pathOf(path: string, parameters: readonly ApiParameter[], at: string): string {
  if (path.length > 1000) throw new Unusable(at.slice(0, 200), 'its path is too long');
  const named = new Map(parameters.filter((one) => one.in === 'path').map(({ theirs, name }) => [theirs, name]));
  return path.replaceAll(/\{([^{}]*)\}/g, (_, theirs: string) => {
    const name = named.get(theirs);
    if (name === undefined)
      throw new Unusable(at, `the parameter {${lineOf(theirs, 100)}} of the path is not described`);
    return `{${name}}`;
  });
}

/**
 * Reads an operation. `api`: the name of its server; undefined: the main one. The schemas of one that is not selected are cut. Throws
 * Unusable.
 */
export function readOperation(
  document: ApiDocument,
  { summary, at, path, item, operation }: Found,
  references: References,
  { api, isSelected }: { api: string | undefined; isSelected: boolean },
): ApiOperation {
  references.refill(isSelected);
  // The parameter of connectors that fetches all pages.
  const names = new Names(['allPages']);
  const parts = partsOf(document, [item, operation], references, at);
  const parameters = readParameters(parts.parameters, references, names, document.isSwagger, at);
  const read = parts.body && summary.method !== 'GET' ? readBody(parts.body, references, names, at) : undefined;
  const answer = jsonAnswer(parts.answer.content);
  const all = [
    ...parameters.filter((one) => one.in !== 'path' || path.includes(`{${one.theirs}}`)),
    ...(read?.parameters ?? []),
  ];
  const { isDeprecated, ...known } = summary;
  const paging = pagingOf(
    { method: summary.method, parameters: all },
    { headers: parts.answer.headers, schema: answer && fieldOf(answer, 'schema') },
    references,
  );
  const example = answer && exampleOf(answer, references);
  return {
    ...known,
    path: pathOf(path, all, at),
    ...(api === undefined ? {} : { api }),
    parameters: all,
    ...(read ? { body: read.body } : {}),
    ...(isPublic(requirementsOf(document, operation)) ? { isPublic: true } : {}),
    ...(isDeprecated ? { isDeprecated: true } : {}),
    ...(isFileAnswer(parts.answer.content) ? { isFile: true } : {}),
    ...(paging ? { paging } : {}),
    ...(example === undefined ? {} : { example }),
  };
}
