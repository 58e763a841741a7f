import { objectOrEmpty, readOwnField, textField, type OpenApiObject } from './document';
import type { ApiOperation, ApiPaging } from './record';
import type { ReferenceResolver } from './references';
import { mergeCombinedSchemas } from './schemas';

const PAGE_PARAMETERS = ['page', 'page_number', 'pageNumber'];
const PAGE_SIZE_PARAMETERS = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit', 'size', 'count'];
const OFFSET_PARAMETERS = ['offset', 'skip', 'start'];
const PAGE_TOKEN_PARAMETERS = ['cursor', 'page_token', 'pageToken', 'next_token', 'nextToken', 'continuation', 'after'];
const NEXT_TOKEN_FIELDS = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'continuation',
];
const NEXT_ADDRESS_FIELDS = ['next', 'next_url', 'nextUrl', 'next_page_url', '@odata.nextLink'];
/** Objects in responses that contain the fields of paging; `''` is the response itself. */
const PAGING_WRAPPER_FIELDS = ['', 'meta', 'pagination', 'paging', 'links', 'response_metadata', 'page_info'];

/**
 * The dotted path of the first text field with one of these names, at the top of a response or in an object for paging.
 */
function findStringFieldPath(
  answer: OpenApiObject,
  names: readonly string[],
  references: ReferenceResolver,
): string | undefined {
  const properties = objectOrEmpty(readOwnField(answer, 'properties'));
  for (const around of PAGING_WRAPPER_FIELDS) {
    const inner =
      around === ''
        ? properties
        : objectOrEmpty(readOwnField(mergeCombinedSchemas(readOwnField(properties, around), references), 'properties'));
    const name = names.find((one) => Object.hasOwn(inner, one));
    const type = name === undefined ? undefined : readOwnField(mergeCombinedSchemas(inner[name], references), 'type');
    if (name !== undefined && [type].flat().includes('string')) return around === '' ? name : `${around}.${name}`;
  }
  return undefined;
}

/** The path of the list in a response: the response itself, or its only list. */
export function findListPath(answer: OpenApiObject, references: ReferenceResolver): string | undefined {
  if (readOwnField(answer, 'type') === 'array') return '';
  const lists = Object.entries(objectOrEmpty(readOwnField(answer, 'properties'))).filter(
    ([, property]) => readOwnField(mergeCombinedSchemas(property, references), 'type') === 'array',
  );
  return lists.length === 1 && (lists[0]?.[0].length ?? 0) <= 200 ? lists[0]?.[0] : undefined;
}

/** Detects from the names of parameters and fields how the next page of a list is requested. */
export function detectPaging(
  { method, parameters }: Pick<ApiOperation, 'method' | 'parameters'>,
  answer: { headers: OpenApiObject; schema: unknown },
  references: ReferenceResolver,
): ApiPaging | undefined {
  if (method !== 'GET' || answer.schema === undefined) return undefined;
  const schema = mergeCombinedSchemas(answer.schema, references);
  const items = findListPath(schema, references);
  if (items === undefined) return undefined;
  if (Object.keys(answer.headers).some((name) => name.toLowerCase() === 'link')) return { kind: 'link', items };
  const queries = parameters.filter((one) => one.in === 'query').map(({ theirs }) => theirs);
  const query = (names: readonly string[]) => names.find((name) => queries.includes(name));
  const token = query(PAGE_TOKEN_PARAMETERS);
  const nextToken = token && findStringFieldPath(schema, NEXT_TOKEN_FIELDS, references);
  if (nextToken) return { kind: 'token', at: nextToken, query: token, items };
  const nextAddress = findStringFieldPath(schema, NEXT_ADDRESS_FIELDS, references);
  if (nextAddress) return { kind: 'address', at: nextAddress, items };
  const size = query(PAGE_SIZE_PARAMETERS);
  if (size === undefined) return undefined;
  const schemaOf = (theirs: string) => parameters.find((one) => one.theirs === theirs)?.schema;
  const standard = schemaOf(size)?.default;
  // Without a known size a page is the last one when it is empty.
  const defaultSize = typeof standard === 'number' && standard > 0 ? standard : 1;
  const page = query(PAGE_PARAMETERS);
  if (page)
    return { kind: 'page', query: page, first: schemaOf(page)?.minimum === 0 ? 0 : 1, size, defaultSize, items };
  const offset = query(OFFSET_PARAMETERS);
  return offset ? { kind: 'offset', query: offset, size, defaultSize, items } : undefined;
}

/** The media type of a response in JSON. */
export const jsonResponseMedia = (content: [type: string, media: OpenApiObject][]): OpenApiObject | undefined =>
  content.find(([type]) => /^[^;]*[/+]json\b|^\*\/\*/.test(type))?.[1];

/** Whether a response has only media types of files. */
export const isFileResponse = (content: [type: string, media: OpenApiObject][]): boolean =>
  content.length > 0 &&
  content.every(
    ([type, media]) =>
      /^(application\/(octet-stream|pdf|zip|gzip)|image|audio|video)/.test(type) ||
      textField(readOwnField(media, 'schema'), 'format') === 'binary',
  );
