import { NodeFailure } from '@/server/errors/node-failure';
import { at } from '@/server/expressions/dotted-path';
import { MAX_PARSED } from '@/server/expressions/large-json';

/** Where in an answer the items of a page are, and where in an item its id is. */
export interface PagePlaces {
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

/** Takes the items out of an answer, which is changed. */
export function splitPage(answer: unknown, { items: path, id }: PagePlaces): ListPage {
  const list = at(answer, path);
  if (!Array.isArray(list)) return { rest: answer, count: 0, lastId: undefined, items: '' };
  const items = list.splice(0) as unknown[];
  const lastId = id === undefined ? undefined : at(items.at(-1), id);
  return { rest: answer, count: items.length, lastId, items: JSON.stringify(items).slice(1, -1) };
}

/** What is left of an answer without its items, as JSON that the service parses itself. Throws NodeFailure `TOO_LARGE`. */
export function writeRest(about: Omit<ListPage, 'items'>): string {
  const json = JSON.stringify(about);
  if (json.length <= MAX_PARSED) return json;
  throw new NodeFailure('TOO_LARGE', `The answer has more than ${MAX_PARSED} characters besides its items.`, false);
}
