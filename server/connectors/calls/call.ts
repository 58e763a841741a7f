import type { z } from 'zod';
import { whyUnsent } from '@/contract/unsent-headers';
import { NodeFailure } from '@/server/errors/node-failure';
import { readPage } from '@/server/evaluation/read-page';
import { fromJson } from '@/server/expressions/large-json';
import { bodyOf, encode, valueOfBody } from '@/server/outbound/content';
import type { OutboundResponse } from '@/server/outbound/outbound';
import { apiUrlOf, registrationOf } from '../authorization/registration';
import { findOperation, requestParameters, REQUEST } from '../catalogue';
import { parametersOf, type ApiAnswer, type DataOperation, type SteppedOperation } from '../operation';
import { everything } from '../parameters';
import { addQuery, addressWithin, apiBase, operationCall, requestCall, type ApiCall } from './endpoint';
import { nextPage } from './paging';
import { MAX_BYTES, requireAccepted, send, type Sender } from './send';

/** One call of a connector for a node. */
export interface Call extends Sender {
  operation: string;
  parameters: Record<string, unknown>;
}

/** The response; with `allPages` the body is the list of items of all pages. */
export interface Result extends ApiAnswer {
  /** There was more than the limit of one call. */
  hasMore?: true;
}

export const MAX_CONNECTOR_ITEMS = 10_000;
export const MAX_CONNECTOR_PAGES = 200;
/** Requests of one operation with steps. */
const MAX_STEPS = 200;

type BaseOf = (api: string | undefined) => URL;

/** Throws NodeFailure: CONFIG, HTTP_STATUS, API_REFUSED, CREDENTIAL_REFUSED and those of lower layers (credential, outbound). */
export async function callConnector(call: Call): Promise<Result> {
  const { connector, credential, workspaceId } = call;
  // The addresses of a connector of a workspace are those of its document.
  const apiUrl = connector.custom ? undefined : apiUrlOf(connector, await registrationOf(connector, workspaceId));
  const base: BaseOf = (api) => apiBase(connector, credential?.credential, apiUrl, api);
  if (call.operation === REQUEST) {
    requireCredential(call, false);
    return anyCall(call, base);
  }
  const operation = await findOperation(connector, call.operation);
  if (!operation) throw new NodeFailure('CONFIG', `${connector.name} has no operation "${call.operation}".`, false);
  requireCredential(call, !operation.steps && operation.isPublic === true);
  const values = checked(parametersOf(operation), call.parameters) as Record<string, unknown>;
  if (operation.steps) return follow(call, operation, values, base);
  const first = operationCall(connector, operation, base(operation.api), values);
  return values[everything] === true ? collect(call, operation, first) : resultOf(call, await send(call, first));
}

/** Only connectors of workspaces can be called without a credential. */
function requireCredential({ connector, credential }: Call, isPublic: boolean): void {
  if (credential || (connector.custom && (isPublic || !connector.custom.needsCredential))) return;
  throw new NodeFailure('CREDENTIAL_MISSING', `${connector.name} needs a credential.`, false);
}

async function anyCall(call: Call, base: BaseOf): Promise<Result> {
  const { connector } = call;
  const { method, path, query, headers, body, api } = checked(requestParameters(connector), call.parameters);
  const url = addressWithin(base(api as string | undefined), path);
  addQuery(url, query ?? {});
  const content = encode(body, headers?.['Content-Type'] ?? headers?.['content-type']);
  const written = Object.entries(headers ?? {}).filter(([name, value]) => {
    // A server may pass a request on to the host that it names: the token would go there.
    const reason = name.toLowerCase() === 'host' ? 'the host is that of the API' : whyUnsent(name, value);
    if (reason !== undefined) call.log('warn', `The header ${name.slice(0, 200)} is left out: ${reason}.`);
    return reason === undefined;
  });
  const own = { Accept: 'application/json', ...content.headers, ...connector.headers };
  const all: Record<string, string> = { ...own, ...Object.fromEntries(written) };
  const text = content.body === undefined ? undefined : ({ as: 'text', text: content.body } as const);
  return resultOf(call, await send(call, { method, url, headers: all, body: text }));
}

/** The parameters, parsed. One that is null is left out: an expression may find nothing. */
function checked<Schema extends z.ZodObject>(schema: Schema, parameters: Record<string, unknown>): z.output<Schema> {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${['parameters', ...path].join('.')}: ${message}`);
  throw new NodeFailure('CONFIG', problems.join('; '), false);
}

async function resultOf(call: Call, answer: OutboundResponse): Promise<Result> {
  const { workspaceId, signal, connector } = call;
  const { status, headers, received } = answer;
  if (received !== undefined) return { status, headers, body: received };
  // Refusals are small: a large answer is no refusal, and stays unparsed.
  if (connector.refusal && answer.body.length < MAX_REFUSAL) requireAccepted(call, answer, bodyOf(answer, 'auto'));
  const body = await valueOfBody(answer, 'auto', { workspaceId, signal });
  return { status, headers, body };
}

/** Bytes. */
const MAX_REFUSAL = 64 * 1024;

/** An answer with its parsed body. */
function answerOf(call: Call, answer: OutboundResponse): ApiAnswer {
  const { status, headers, received } = answer;
  if (received !== undefined) return { status, headers, body: received };
  const body = bodyOf(answer, 'auto');
  requireAccepted(call, answer, body);
  return { status, headers, body };
}

const requireSize = (bytes: number) => {
  if (bytes <= MAX_BYTES) return;
  throw new NodeFailure('TOO_LARGE', `All answers together are larger than ${MAX_BYTES} bytes.`, false);
};

/** Makes the requests of an operation, one after the other. */
async function follow(
  call: Call,
  operation: SteppedOperation,
  values: Record<string, unknown>,
  base: BaseOf,
): Promise<Result> {
  const steps = operation.steps(values);
  let bytes = 0;
  let last: ApiAnswer = { status: 200, headers: {}, body: null };
  let step = steps.next(last);
  for (let number = 1; step.done !== true; number += 1) {
    if (number > MAX_STEPS) throw new NodeFailure('TOO_LARGE', `It takes more than ${MAX_STEPS} requests.`, false);
    const next = requestCall(call.connector, base(step.value.api), step.value);
    const answer = await send(call, next, number);
    bytes += answer.body.length;
    requireSize(bytes);
    last = answerOf(call, answer);
    step = steps.next(last);
  }
  return { status: last.status, headers: last.headers, body: step.value ?? null };
}

async function collect(call: Call, operation: DataOperation, first: ApiCall): Promise<Result> {
  const { workspaceId, signal } = call;
  const places = {
    items: operation.items ?? '',
    id: operation.paging?.kind === 'last' ? operation.paging.id : undefined,
  };
  /** JSON of the items of each page, without brackets. */
  const parts: string[] = [];
  let [bytes, count] = [0, 0];
  let next: ApiCall | undefined = first;
  for (let pages = 1; ; pages += 1) {
    const answer: OutboundResponse = await send(call, next, pages);
    const { status, headers } = answer;
    const page = await readPage(answer.body, headers['content-type'] ?? '', places, { workspaceId, signal });
    requireAccepted(call, answer, page.rest);
    if (page.items !== '') parts.push(page.items);
    count += page.count;
    bytes += answer.body.length;
    requireSize(bytes);
    next = nextPage(operation, next, answer, page, count);
    const result = () => ({ status, headers, body: fromJson(`[${parts.join(',')}]`) });
    if (next === undefined) return result();
    if (count >= MAX_CONNECTOR_ITEMS || pages === MAX_CONNECTOR_PAGES) {
      call.log('warn', `There are more: only the first ${count} items were fetched`);
      return { ...result(), hasMore: true };
    }
  }
}
