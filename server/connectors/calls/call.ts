import type { z } from 'zod';
import { unsentHeaderReason } from '@/contract/unsent-headers';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { readListPage } from '@/server/evaluation/evaluator/read-page';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import { parseResponseBody, encodeRequestBody, parseResponseOfAnySize } from '@/server/network/outbound/content';
import type { OutboundResponse } from '@/server/network/outbound/outbound';
import { apiUrlOverride, findAppRegistration } from '../authorization/registration';
import { findConnectorOperation, requestParameterSchema, REQUEST_OPERATION_ID } from '../catalogue';
import { operationParameters, type ApiResponse, type DataOperation, type SteppedOperation } from '../operation';
import { ALL_PAGES_PARAMETER } from '../parameters';
import {
  addQueryParameters,
  resolveApiPath,
  resolveApiBase,
  prepareOperationCall,
  prepareRequestCall,
  type PreparedCall,
} from './endpoint';
import { nextPageCall } from './paging';
import { MAX_API_RESPONSE_BYTES, requireNoRefusal, sendPreparedCall, type CallContext } from './send';

/** One call of a connector for a node. */
export interface NodeConnectorCall extends CallContext {
  operation: string;
  parameters: Record<string, unknown>;
}

/** The response; with `allPages` the body is the list of items of all pages. */
export interface ConnectorResult extends ApiResponse {
  /** There was more than the limit of one call. */
  hasMore?: true;
}

export const MAX_CONNECTOR_ITEMS = 10_000;
export const MAX_CONNECTOR_PAGES = 200;
/** The maximum number of requests of one operation with steps. */
const MAX_OPERATION_REQUESTS = 200;

type ApiBaseResolver = (api: string | undefined) => URL;

/**
 * Throws NodeFailure: CONFIG, HTTP_STATUS, API_REFUSED, CREDENTIAL_REFUSED and those of lower layers (credential,
 * outbound).
 */
export async function callConnector(call: NodeConnectorCall): Promise<ConnectorResult> {
  const { connector, credential, workspaceId } = call;
  // The addresses of a connector of a workspace are those of its document.
  const apiUrl = connector.custom
    ? undefined
    : apiUrlOverride(connector, await findAppRegistration(connector, workspaceId));
  const base: ApiBaseResolver = (api) => resolveApiBase(connector, credential?.credential, apiUrl, api);
  if (call.operation === REQUEST_OPERATION_ID) {
    requireCallCredential(call, false);
    return callAnyAddress(call, base);
  }
  const operation = await findConnectorOperation(connector, call.operation);
  if (!operation) throw new NodeFailure('CONFIG', `${connector.name} has no operation "${call.operation}".`, false);
  requireCallCredential(call, !operation.steps && operation.isPublic === true);
  const values = parseParameters(operationParameters(operation), call.parameters) as Record<string, unknown>;
  if (operation.steps) return runOperationSteps(call, operation, values, base);
  const first = prepareOperationCall(connector, operation, base(operation.api), values);
  return values[ALL_PAGES_PARAMETER] === true
    ? collectAllPages(call, operation, first)
    : toConnectorResult(call, await sendPreparedCall(call, first));
}

/** Only connectors of workspaces can be called without a credential. */
function requireCallCredential({ connector, credential }: NodeConnectorCall, isPublic: boolean): void {
  if (credential || (connector.custom && (isPublic || !connector.custom.needsCredential))) return;
  throw createNodeFailure('CREDENTIAL_MISSING', { subject: connector.name });
}

async function callAnyAddress(call: NodeConnectorCall, base: ApiBaseResolver): Promise<ConnectorResult> {
  const { connector } = call;
  const { method, path, query, headers, body, api } = parseParameters(
    requestParameterSchema(connector),
    call.parameters,
  );
  const url = resolveApiPath(base(api as string | undefined), path);
  addQueryParameters(url, query ?? {});
  const content = encodeRequestBody(body, headers?.['Content-Type'] ?? headers?.['content-type']);
  const written = Object.entries(headers ?? {}).filter(([name, value]) => {
    // A server may pass a request on to the host that it names: the token would go there.
    const reason = name.toLowerCase() === 'host' ? 'the host is that of the API' : unsentHeaderReason(name, value);
    if (reason !== undefined) call.log('warn', `The header ${name.slice(0, 200)} is left out: ${reason}.`);
    return reason === undefined;
  });
  const own = { Accept: 'application/json', ...content.headers, ...connector.headers };
  const all: Record<string, string> = { ...own, ...Object.fromEntries(written) };
  const text = content.body === undefined ? undefined : ({ as: 'text', text: content.body } as const);
  return toConnectorResult(call, await sendPreparedCall(call, { method, url, headers: all, body: text }));
}

/** Parses parameters by their schema. Null counts as left out, because an expression may find nothing. */
function parseParameters<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: Record<string, unknown>,
): z.output<Schema> {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${['parameters', ...path].join('.')}: ${message}`);
  throw new NodeFailure('CONFIG', problems.join('; '), false);
}

async function toConnectorResult(call: NodeConnectorCall, answer: OutboundResponse): Promise<ConnectorResult> {
  const { workspaceId, signal, connector } = call;
  const { status, headers, received } = answer;
  if (received !== undefined) return { status, headers, body: received };
  // Refusals are small: a large response is not parsed to look for one.
  if (connector.refusal && answer.body.length < MAX_REFUSAL_BYTES)
    requireNoRefusal(call, answer, parseResponseBody(answer, 'auto'));
  const body = await parseResponseOfAnySize(answer, 'auto', { workspaceId, signal });
  return { status, headers, body };
}

/** Larger responses are not searched for a refusal. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Parses the body of a response, and throws if it refuses. */
function toAcceptedResponse(call: NodeConnectorCall, answer: OutboundResponse): ApiResponse {
  const { status, headers, received } = answer;
  if (received !== undefined) return { status, headers, body: received };
  const body = parseResponseBody(answer, 'auto');
  requireNoRefusal(call, answer, body);
  return { status, headers, body };
}

const requireTotalSize = (bytes: number) => {
  if (bytes <= MAX_API_RESPONSE_BYTES) return;
  throw new NodeFailure('TOO_LARGE', `All answers together are larger than ${MAX_API_RESPONSE_BYTES} bytes.`, false);
};

/** Makes the requests of an operation, one after the other. */
async function runOperationSteps(
  call: NodeConnectorCall,
  operation: SteppedOperation,
  values: Record<string, unknown>,
  base: ApiBaseResolver,
): Promise<ConnectorResult> {
  const steps = operation.steps(values);
  let bytes = 0;
  let last: ApiResponse = { status: 200, headers: {}, body: null };
  let step = steps.next(last);
  for (let number = 1; step.done !== true; number += 1) {
    if (number > MAX_OPERATION_REQUESTS)
      throw new NodeFailure('TOO_LARGE', `It takes more than ${MAX_OPERATION_REQUESTS} requests.`, false);
    const next = prepareRequestCall(call.connector, base(step.value.api), step.value);
    const answer = await sendPreparedCall(call, next, number);
    bytes += answer.body.length;
    requireTotalSize(bytes);
    last = toAcceptedResponse(call, answer);
    step = steps.next(last);
  }
  return { status: last.status, headers: last.headers, body: step.value ?? null };
}

async function collectAllPages(
  call: NodeConnectorCall,
  operation: DataOperation,
  first: PreparedCall,
): Promise<ConnectorResult> {
  const { workspaceId, signal } = call;
  const places = {
    items: operation.items ?? '',
    id: operation.paging?.kind === 'last' ? operation.paging.id : undefined,
  };
  /** JSON of the items of each page, without brackets. */
  const parts: string[] = [];
  let [bytes, count] = [0, 0];
  let next: PreparedCall | undefined = first;
  for (let pages = 1; ; pages += 1) {
    const answer: OutboundResponse = await sendPreparedCall(call, next, pages);
    const { status, headers } = answer;
    const page = await readListPage(answer.body, headers['content-type'] ?? '', places, { workspaceId, signal });
    requireNoRefusal(call, answer, page.rest);
    if (page.items !== '') parts.push(page.items);
    count += page.count;
    bytes += answer.body.length;
    requireTotalSize(bytes);
    next = nextPageCall(operation, next, answer, page, count);
    const result = () => ({ status, headers, body: parseUnlessLarge(`[${parts.join(',')}]`) });
    if (next === undefined) return result();
    if (count >= MAX_CONNECTOR_ITEMS || pages === MAX_CONNECTOR_PAGES) {
      call.log('warn', `There are more: only the first ${count} items were fetched`);
      return { ...result(), hasMore: true };
    }
  }
}
