import { bagOf, fieldOf, textOf, type Bag } from './document';
import type { ApiOperation, ApiPaging } from './record';
import type { References } from './references';
import { mergedSchema } from './schemas';

const PAGE = ['page', 'page_number', 'pageNumber'];
const SIZE = ['per_page', 'perPage', 'page_size', 'pageSize', 'limit', 'size', 'count'];
const OFFSET = ['offset', 'skip', 'start'];
const TOKEN = ['cursor', 'page_token', 'pageToken', 'next_token', 'nextToken', 'continuation', 'after'];
const NEXT_TOKEN = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'continuation',
];
const NEXT_ADDRESS = ['next', 'next_url', 'nextUrl', 'next_page_url', '@odata.nextLink'];
/** Objects in answers that hold what belongs to paging. */
const AROUND = ['', 'meta', 'pagination', 'paging', 'links', 'response_metadata', 'page_info'];

/** The fields of an answer, by dotted path, at the top and in the objects around. */
function pathsIn(answer: Bag, names: readonly string[], references: References): string | undefined {
  const properties = bagOf(fieldOf(answer, 'properties'));
  for (const around of AROUND) {
    const inner =
      around === '' ? properties : bagOf(fieldOf(mergedSchema(fieldOf(properties, around), references), 'properties'));
    const name = names.find((one) => Object.hasOwn(inner, one));
    const type = name === undefined ? undefined : fieldOf(mergedSchema(inner[name], references), 'type');
    if (name !== undefined && [type].flat().includes('string')) return around === '' ? name : `${around}.${name}`;
  }
  return undefined;
}

/** Where the list of an answer is: the answer itself, or its only list. */
function listIn(answer: Bag, references: References): string | undefined {
  if (fieldOf(answer, 'type') === 'array') return '';
  const lists = Object.entries(bagOf(fieldOf(answer, 'properties'))).filter(
    ([, property]) => fieldOf(mergedSchema(property, references), 'type') === 'array',
  );
  return lists.length === 1 && (lists[0]?.[0].length ?? 0) <= 200 ? lists[0]?.[0] : undefined;
}

/** How a list goes on, if names of parameters and fields tell it. */
export function pagingOf(
  { method, parameters }: Pick<ApiOperation, 'method' | 'parameters'>,
  answer: { headers: Bag; schema: unknown },
  references: References,
): ApiPaging | undefined {
  if (method !== 'GET' || answer.schema === undefined) return undefined;
  const schema = mergedSchema(answer.schema, references);
  const items = listIn(schema, references);
  if (items === undefined) return undefined;
  if (Object.keys(answer.headers).some((name) => name.toLowerCase() === 'link')) return { kind: 'link', items };
  const queries = parameters.filter((one) => one.in === 'query').map(({ theirs }) => theirs);
  const query = (names: readonly string[]) => names.find((name) => queries.includes(name));
  const token = query(TOKEN);
  const nextToken = token && pathsIn(schema, NEXT_TOKEN, references);
  if (nextToken) return { kind: 'token', at: nextToken, query: token, items };
  const nextAddress = pathsIn(schema, NEXT_ADDRESS, references);
  if (nextAddress) return { kind: 'address', at: nextAddress, items };
  const size = query(SIZE);
  if (size === undefined) return undefined;
  const schemaOf = (theirs: string) => parameters.find((one) => one.theirs === theirs)?.schema;
  const standard = schemaOf(size)?.default;
  // Without a known size a page is the last one when it is empty.
  const defaultSize = typeof standard === 'number' && standard > 0 ? standard : 1;
  const page = query(PAGE);
  if (page)
    return { kind: 'page', query: page, first: schemaOf(page)?.minimum === 0 ? 0 : 1, size, defaultSize, items };
  const offset = query(OFFSET);
  return offset ? { kind: 'offset', query: offset, size, defaultSize, items } : undefined;
}

/** The schema of an answer in JSON. */
export const jsonAnswer = (content: [type: string, media: Bag][]): Bag | undefined =>
  content.find(([type]) => /^[^;]*[/+]json\b|^\*\/\*/.test(type))?.[1];

/** Whether an answer has no media type but those of files. */
export const isFileAnswer = (content: [type: string, media: Bag][]): boolean =>
  content.length > 0 &&
  content.every(
    ([type, media]) =>
      /^(application\/(octet-stream|pdf|zip|gzip)|image|audio|video)/.test(type) ||
      textOf(fieldOf(media, 'schema'), 'format') === 'binary',
  );
