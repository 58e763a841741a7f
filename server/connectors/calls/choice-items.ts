import { readListPage } from '@/server/evaluation/evaluator/read-page';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { findConnectorOperation } from '../catalogue';
import { readChoiceItems, readItemsWithin, type OperationChoiceSource, type SteppedChoiceSource } from '../choices';
import { operationParameters, type DataOperation, type OperationDefinition } from '../operation';
import { callConnector, prepareFirstCall, runConnectorRequests, type NodeConnectorCall } from './call';
import { nextPageCall, pagePosition, resumeAtPage } from './paging';
import { requireNoRefusal, sendPreparedCall, type CallContext } from './send';

/** The items of one page of the provider have at most this many characters of JSON. */
const MAX_CHOICE_ITEMS_JSON = 4 * 1024 * 1024;

/** A page of the provider: its items, and the place of the next page. */
export interface ChoiceItemPage {
  items: unknown[];
  next: string | null;
}

/** What a source is asked for. */
export interface ChoiceItemQuery {
  values: Readonly<Record<string, string>>;
  search: string;
  page: string | null;
}

const requireItemSize = (characters: number): void => {
  if (characters > MAX_CHOICE_ITEMS_JSON)
    throw new NodeFailure('TOO_LARGE', 'A page of the list is larger than 4 MiB.', false);
};

/** Reads one page of an operation that lists. */
async function readOperationPage(
  call: NodeConnectorCall,
  operation: DataOperation,
  page: string | null,
): Promise<ChoiceItemPage> {
  const { workspaceId, signal, secrets } = call;
  const { paging, items: itemsPath = '' } = operation;
  const first = await prepareFirstCall(call, operation);
  const current = page === null ? first : resumeAtPage(operation, first, page);
  const answer = await sendPreparedCall(call, current);
  const places = { items: itemsPath, id: paging?.kind === 'last' ? paging.id : undefined };
  const read = await readListPage(answer.body, answer.headers['content-type'] ?? '', places, { workspaceId, signal });
  requireNoRefusal(call, answer, read.rest);
  requireItemSize(read.items.length);
  const before = paging?.kind === 'offset' ? Number(page ?? 0) : 0;
  const following = nextPageCall(operation, current, answer, read, before + read.count);
  const next = following ? pagePosition(operation, following) : null;
  if (next !== null && secrets.text(next) !== next)
    throw new NodeFailure('BAD_RESPONSE', 'The address of the next page holds a secret, which is refused.', false);
  return { items: JSON.parse(`[${read.items}]`) as unknown[], next };
}

/** The list in the answer of an operation that has no pages. */
async function readOperationAnswer(call: NodeConnectorCall, path: string): Promise<ChoiceItemPage> {
  const { body } = await callConnector(call);
  if (body instanceof LargeJsonText) requireItemSize(body.text.length);
  const whole = body instanceof LargeJsonText ? (JSON.parse(body.text) as unknown) : body;
  const items = readChoiceItems(getAtPath(whole, path));
  if (!items) throw new NodeFailure('BAD_RESPONSE', 'The answer has no list where one is expected.', false);
  return { items, next: null };
}

/** The parameters of the operation: fixed ones, those of fields, and the search. A number is one where it must be. */
function operationValues(
  { parameters, parametersFrom = {}, search: searchParameter }: OperationChoiceSource,
  operation: OperationDefinition,
  { values, search }: ChoiceItemQuery,
): Record<string, unknown> {
  const { shape } = operationParameters(operation);
  const given = Object.entries(parametersFrom).flatMap(([parameter, field]): [string, unknown][] => {
    const value = values[field.replace(/\?$/, '')];
    if (value === undefined) return [];
    const schema = shape[parameter];
    const isText = schema === undefined || schema.safeParse(value).success || !schema.safeParse(Number(value)).success;
    return [[parameter, isText ? value : Number(value)]];
  });
  const searched = searchParameter !== undefined && search !== '' ? { [searchParameter]: search } : {};
  return { ...parameters, ...Object.fromEntries(given), ...searched };
}

async function readSourceItems(
  context: CallContext,
  source: OperationChoiceSource | SteppedChoiceSource,
  query: ChoiceItemQuery,
): Promise<ChoiceItemPage> {
  if ('steps' in source) {
    const { items, next = null } = await runConnectorRequests(context, source.steps(query));
    return { items, next };
  }
  const { more } = source;
  if (!more) return readOperationItems(context, source, query);
  const { parameters } = source;
  try {
    return await readOperationItems(context, { ...source, parameters: { ...parameters, ...more.parameters } }, query);
  } catch (error) {
    if (!(error instanceof NodeFailure && error.message.includes(more.unless))) throw error;
    return readOperationItems(context, source, query);
  }
}

async function readOperationItems(
  context: CallContext,
  source: OperationChoiceSource,
  query: ChoiceItemQuery,
): Promise<ChoiceItemPage> {
  const operation = await findConnectorOperation(context.connector, source.operation);
  if (!operation) throw new Error(`There is no operation ${source.operation} that lists choices.`);
  const call = {
    ...context,
    operation: source.operation,
    parameters: operationValues(source, operation, query),
  };
  return operation.steps || source.items !== undefined
    ? readOperationAnswer(call, source.items ?? '')
    : readOperationPage(call, operation, query.page);
}

/** The choices are in an item that one of these pages has. */
const MAX_PAGES_WITHIN = 10;

/** Reads a page of what a source lists. Throws NodeFailure. */
export async function readChoiceItemPage(
  context: CallContext,
  source: OperationChoiceSource | SteppedChoiceSource,
  query: ChoiceItemQuery,
): Promise<ChoiceItemPage> {
  const { within } = source;
  if (!within) return readSourceItems(context, source, query);
  let page: string | null = null;
  for (let pages = 1; pages <= MAX_PAGES_WITHIN; pages += 1) {
    const { items, next }: ChoiceItemPage = await readSourceItems(context, source, { ...query, search: '', page });
    const found = readItemsWithin(within, query.values[within.field] ?? '', items);
    if (found) return { items: found, next: null };
    if (next === null || next === page) break;
    page = next;
  }
  return { items: [], next: null };
}
