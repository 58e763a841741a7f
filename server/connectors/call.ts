import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { LogLevel } from '@/contract/execution';
import { answerOf } from '@/server/outbound/answer';
import { MAX_PARSED } from '@/server/expressions/large-json';
import { bodyOf, encode, retryAfterOf, valueOfBody } from '@/server/outbound/content';
import type { OutboundResponse } from '@/server/outbound/outbound';
import { operationOf, parametersOf, requestParameters, REQUEST } from './catalogue';
import { everything, type Connector, type ConnectorOperation } from './connector';
import { csrfHeaders } from './authorization/csrf';
import { addQuery, addressWithin, apiBase, nextAddress, operationCall, type ApiCall } from './endpoint';
import { sendAs, type CredentialHandle } from './held';
import { nextPage } from './paging';
import type { Redactor } from '@/server/redaction/redactor';
import { registrationOf } from './authorization/registration';
import { at } from './url-template';
import { NodeFailure } from '@/server/errors/node-failure';

/** One call of a connector for a node. */
export interface Call {
  connector: Connector;
  operation: string;
  parameters: Record<string, unknown>;
  credential: CredentialHandle;
  /** Removes secrets from error texts. */
  secrets: Redactor;
  signal: AbortSignal;
  idempotencyKey: string;
  reserve?: (bytes: number) => Promise<void>;
  log(level: LogLevel, message: string): void;
}

/** The response; with `allPages` the body is the list of items of all pages. */
export interface Result {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** There was more than the limit of one call. */
  hasMore?: true;
}

/** A wait that the provider requests is honoured up to this length and number; longer waits are left to the node's retries. */
const LONGEST_WAIT_MS = 20_000;
const MAX_WAITS = 3;
const MAX_ITEMS = 10_000;
const MAX_PAGES = 200;
const MAX_BYTES = 10 * 1024 * 1024;

/** Throws NodeFailure: CONFIG, HTTP_STATUS, CREDENTIAL_REFUSED and those of lower layers (credential, outbound). */
export async function callConnector(call: Call): Promise<Result> {
  const { connector, credential } = call;
  const registration = await registrationOf(connector, credential.credential.workspaceId);
  const base = (api: string | undefined) => apiBase(connector, credential.credential, registration, api);
  if (call.operation === REQUEST) {
    const { method, path, query, headers, body, api } = checked(requestParameters(connector), call.parameters);
    const url = addressWithin(base(api as string | undefined), path);
    addQuery(url, query ?? {});
    const content = encode(body, headers?.['Content-Type'] ?? headers?.['content-type']);
    const all = { Accept: 'application/json', ...content.headers, ...connector.headers, ...headers };
    return resultOf(call, await send(call, { method, url, headers: all, body: content.body }));
  }
  const operation = operationOf(connector, call.operation);
  if (!operation) throw new NodeFailure('CONFIG', `${connector.name} has no operation "${call.operation}".`, false);
  const values = checked(parametersOf(operation), call.parameters) as Record<string, unknown>;
  const first = operationCall(connector, operation, base(operation.api), values);
  return values[everything] === true ? collect(call, operation, first) : resultOf(call, await send(call, first));
}

function checked<Schema extends z.ZodObject>(schema: Schema, parameters: unknown): z.output<Schema> {
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${['parameters', ...path].join('.')}: ${message}`);
  throw new NodeFailure('CONFIG', problems.join('; '), false);
}

/** Sends, waits for a short time if the provider asks for it, and throws on a status of 400 or more. */
async function send(call: Call, { method, url, headers, body }: ApiCall): Promise<OutboundResponse> {
  const { connector, credential, signal, idempotencyKey, reserve, log } = call;
  const isChange = method !== 'GET';
  for (let waits = 0; ; waits += 1) {
    const csrf = isChange && connector.hasCsrfTokens ? await csrfHeaders(credential, url, signal) : {};
    const all = { ...headers, ...(isChange ? { 'Idempotency-Key': idempotencyKey } : {}), ...csrf };
    const answer = await sendAs(credential, {
      url,
      method,
      headers: all,
      body,
      signal,
      reserve,
      timeoutMs: null,
      maxBytes: MAX_BYTES,
    });
    log('info', `${method} ${url.host} answered ${answer.status}`);
    if (answer.status < 400) return answer;
    const waitMs = retryAfterOf(answer.headers['retry-after']);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || waitMs === 0 || waitMs > LONGEST_WAIT_MS || waits === MAX_WAITS) throw refusal(call, answer, waitMs);
    log('warn', `${connector.name} asks to wait ${Math.ceil(waitMs / 1000)} s`);
    await pause(waitMs, undefined, { signal });
  }
}

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function refusal({ connector, credential, secrets }: Call, response: OutboundResponse, retryAfterMs: number) {
  const answer = answerOf(response, secrets);
  const reason = secrets.text(reasonIn(response)).slice(0, 500);
  const reasonText = reason === '' ? '' : `: ${reason}`;
  if (answer.status === 401) {
    const message = `${connector.name} does not accept the credential "${credential.credential.name}" any more${reasonText}. Connect it again.`;
    return new NodeFailure('CREDENTIAL_REFUSED', message, false, 0, { answer });
  }
  return new NodeFailure(
    'HTTP_STATUS',
    `${connector.name} answered ${answer.status}${reasonText}`,
    isPassing(answer.status),
    retryAfterMs,
    { answer },
  );
}

/** Fields in which providers explain an error. */
const REASONS = [
  'error.message.value',
  'error.message',
  'error_description',
  'message',
  'errors',
  'error',
  'detail',
  'title',
];

function reasonIn(answer: OutboundResponse): string {
  if (answer.body.length > MAX_PARSED) return '';
  const body = bodyOf(answer, 'auto');
  const from = Array.isArray(body) ? body[0] : body;
  const found =
    typeof from === 'string'
      ? from
      : REASONS.map((path) => at(from, path)).find((value) => value !== undefined && value !== null);
  const text = typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found);
  return /^\s*<(!doctype|html)/i.test(text) ? '' : text.replace(/\s+/g, ' ').trim();
}

async function resultOf({ credential, signal }: Call, answer: OutboundResponse): Promise<Result> {
  const body = await valueOfBody(answer, 'auto', { workspaceId: credential.credential.workspaceId, signal });
  return { status: answer.status, headers: answer.headers, body };
}

async function collect(call: Call, operation: ConnectorOperation, first: ApiCall): Promise<Result> {
  const items: unknown[] = [];
  let bytes = 0;
  let next: ApiCall | undefined = first;
  for (let pages = 1; ; pages += 1) {
    const answer: OutboundResponse = await send(call, next);
    const result = { status: answer.status, headers: answer.headers, body: bodyOf(answer, 'auto') };
    const page = at(result.body, operation.items ?? '');
    if (Array.isArray(page)) items.push(...(page as unknown[]));
    bytes += answer.body.length;
    if (bytes > MAX_BYTES)
      throw new NodeFailure('TOO_LARGE', `All pages together are larger than ${MAX_BYTES} bytes.`, false);
    const target = nextPage(operation, next.url, answer, result.body, items.length);
    if (target === undefined) return { ...result, body: items };
    if (items.length >= MAX_ITEMS || pages === MAX_PAGES) {
      call.log('warn', `There are more: only the first ${items.length} items were fetched`);
      return { ...result, body: items, hasMore: true };
    }
    next = { ...first, url: typeof target === 'string' ? nextAddress(next.url, target) : target };
  }
}
