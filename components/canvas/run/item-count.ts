import type { NodeResult } from '@/contract/execution';

const objectFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Names of lists that stand for what an answer is about. */
const LIST_NAME_PATTERN =
  /^(?:items?|data|results?|records?|rows|values?|entries|list|content|hits|elements|objects|documents|docs)$/i;
/** Names of fields that say something about the list beside them. */
const LIST_FACT_PATTERN =
  /^(?:total|count|size|limit|offset|page|pages|per_?page|next|prev|previous|cursor|has_?(?:more|next)|links?|_links|meta|metadata|object|kind|status|success|ok|message|took)/i;

/** The id of one object: a list beside it belongs to that object, whatever its name is. */
const OBJECT_ID_PATTERN = /^_?(?:id|uuid)$/i;

/**
 * A list, or the list that an answer is about. One object with a nested list, such as an order with its lines, is no
 * list.
 */
function listInBody(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body;
  const fields = Object.entries(objectFields(body));
  const lists = fields.filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const [only] = lists;
  if (!only || lists.length > 1 || fields.some(([name]) => OBJECT_ID_PATTERN.test(name))) return undefined;
  const isWrapper =
    LIST_NAME_PATTERN.test(only[0]) || fields.every(([name]) => name === only[0] || LIST_FACT_PATTERN.test(name));
  return isWrapper ? only[1] : undefined;
}

/**
 * What the output of a node is about: the body of an HTTP response, the items of all its pages, or the output itself.
 */
function outputContent(output: unknown): unknown {
  const { status, headers, body, items } = objectFields(output);
  if (typeof status !== 'number' || headers === undefined) return output;
  return Array.isArray(items) ? items : body;
}

/**
 * The list in the output of a node: the output, the list in the body of an HTTP response, or the items of all its
 * pages. Undefined: there is no list, or it is not clear which one is meant.
 */
export function outputList(output: unknown): unknown[] | undefined {
  if (Array.isArray(output)) return output;
  const content = outputContent(output);
  return content === output ? undefined : listInBody(content);
}

/** Whether a node with `each` had no items, so that no port delivers. */
export const hadNoItems = ({ ports }: NodeResult): boolean => ports !== undefined && Object.keys(ports).length === 0;

/** Whether a node delivers at a port. */
export const deliversAt = ({ port, ports }: NodeResult, sourcePort: string): boolean =>
  ports ? (ports[sourcePort] ?? 0) > 0 : port === sourcePort;

/** What passed a connection. */
export interface ConnectionData {
  /** The number of items; undefined: it is no list. */
  count: number | undefined;
  /** The rows to show; undefined: they are not known. */
  rows: readonly unknown[] | undefined;
  /** There were no items, so that nothing runs behind this place. */
  isEnd: boolean;
}

/** What passed a connection in a run. Undefined: nothing did. */
export function connectionData(
  from: NodeResult | undefined,
  to: NodeResult | undefined,
  sourcePort: string,
): ConnectionData | undefined {
  if (!from || sourcePort === 'error') return undefined;
  if (hadNoItems(from)) return { count: 0, rows: undefined, isEnd: true };
  if (!deliversAt(from, sourcePort)) return undefined;
  const isEnd = to !== undefined && hadNoItems(to);
  // The outputs of several ports are in one list: which of them left here is not stored.
  if (from.ports && Object.keys(from.ports).length > 1)
    return { count: from.ports[sourcePort], rows: undefined, isEnd };
  const list = outputList(from.output);
  const content = outputContent(from.output);
  const rows = list ?? (content === undefined || content === null ? undefined : [content]);
  return { count: list?.length, rows, isEnd };
}
