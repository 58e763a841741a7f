import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';

/** The path of the items in a response, and the path of the id in an item. */
export interface PageItemPaths {
  items: string;
  id: string | undefined;
}

/** A page of a list. */
export interface ListPage {
  /** The answer without its items. */
  rest: unknown;
  count: number;
  /** The id of the last item. */
  lastId: unknown;
  /** The items as JSON, without the brackets of the list. */
  items: string;
}

/** Takes the items out of a response, which this changes. */
export function splitPageItems(answer: unknown, { items: path, id }: PageItemPaths): ListPage {
  const list = getAtPath(answer, path);
  if (!Array.isArray(list)) return { rest: answer, count: 0, lastId: undefined, items: '' };
  const items = list.splice(0) as unknown[];
  const lastId = id === undefined ? undefined : getAtPath(items.at(-1), id);
  return { rest: answer, count: items.length, lastId, items: JSON.stringify(items).slice(1, -1) };
}

/** The response without its items, as JSON that the service parses itself. Throws NodeFailure `TOO_LARGE`. */
export function serializePageRest(about: Omit<ListPage, 'items'>): string {
  const json = JSON.stringify(about);
  if (json.length <= MAX_PARSED_JSON) return json;
  throw new NodeFailure(
    'TOO_LARGE',
    `The answer has more than ${MAX_PARSED_JSON} characters besides its items.`,
    false,
  );
}
