import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { LogLevel } from '@/contract/execution';
import { answerOf } from '../nodes/answer';
import { bodyOf, encode, retryAfterOf } from '../nodes/http-content';
import { NodeFailure } from '../nodes/node';
import type { OutboundResponse } from '../outbound';
import { operationOf, parametersOf, requestParameters, REQUEST } from './catalogue';
import { everything, type Connector, type ConnectorOperation } from './connector';
import { csrfHeaders } from './csrf';
import { addQuery, addressWithin, apiBase, nextAddress, operationCall, type ApiCall } from './endpoint';
import { sendAs, type Held } from './held';
import { nextPage } from './paging';
import type { Redactor } from './redact';
import { registrationOf } from './registration';
import { at } from './slots';

/** One call of a connector on behalf of a node. */
export interface Call {
  connector: Connector;
  operation: string;
  parameters: Record<string, unknown>;
  credential: Held;
  /** Takes secrets out of what is shown of a refusal. */
  secrets: Redactor;
  signal: AbortSignal;
  idempotencyKey: string;
  reserve?: (bytes: number) => Promise<void>;
  log(level: LogLevel, message: string): void;
}

/** What came back; with `allPages` the items of all pages are the body. */
export interface Result {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** There was more than is fetched at a time. */
  hasMore?: true;
}

/** A wait that the provider asks for is sat out up to here, so many times; a longer one is for the node's retries. */
const LONGEST_WAIT_MS = 20_000;
const MAX_WAITS = 3;
const MAX_ITEMS = 10_000;
const MAX_PAGES = 200;
const MAX_BYTES = 10 * 1024 * 1024;

/** Throws NodeFailure: CONFIG, HTTP_STATUS, CREDENTIAL_REFUSED and what lies below (credential, outbound). */
export async function callConnector(call: Call): Promise<Result> {
  const { connector, credential } = call;
  const registration = await registrationOf(connector, credential.opened.workspaceId);
  const base = (api: string | undefined) => apiBase(connector, credential.opened, registration, api);
  if (call.operation === REQUEST) {
    const { method, path, query, headers, body, api } = checked(requestParameters(connector), call.parameters);
    const url = addressWithin(base(api as string | undefined), path);
    addQuery(url, query ?? {});
    const content = encode(body, headers?.['Content-Type'] ?? headers?.['content-type']);
    const all = { Accept: 'application/json', ...content.headers, ...connector.headers, ...headers };
    return resultOf(await send(call, { method, url, headers: all, body: content.body }));
  }
  const operation = operationOf(connector, call.operation);
  if (!operation) throw new NodeFailure('CONFIG', `${connector.name} has no operation "${call.operation}".`, false);
  const values = checked(parametersOf(operation), call.parameters) as Record<string, unknown>;
  const first = operationCall(connector, operation, base(operation.api), values);
  return values[everything] === true ? collect(call, operation, first) : resultOf(await send(call, first));
}

function checked<Schema extends z.ZodObject>(schema: Schema, parameters: unknown): z.output<Schema> {
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${['parameters', ...path].join('.')}: ${message}`);
  throw new NodeFailure('CONFIG', problems.join('; '), false);
}

/** Sends, waits where the provider asks for a short patience, and fails on a status of 400 or more. */
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

/** Statuses that another try may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function refusal({ connector, credential, secrets }: Call, response: OutboundResponse, retryAfterMs: number) {
  const answer = answerOf(response, secrets);
  const reason = secrets.text(reasonIn(response)).slice(0, 500);
  const said = reason === '' ? '' : `: ${reason}`;
  if (answer.status === 401) {
    const message = `${connector.name} does not accept the credential "${credential.opened.name}" any more${said}. Connect it again.`;
    return new NodeFailure('CREDENTIAL_REFUSED', message, false, 0, { answer });
  }
  return new NodeFailure(
    'HTTP_STATUS',
    `${connector.name} answered ${answer.status}${said}`,
    isPassing(answer.status),
    retryAfterMs,
    { answer },
  );
}

/** Where providers put their reason in words. */
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
  const body = bodyOf(answer, 'auto');
  const from = Array.isArray(body) ? body[0] : body;
  const found =
    typeof from === 'string'
      ? from
      : REASONS.map((path) => at(from, path)).find((value) => value !== undefined && value !== null);
  const text = typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found);
  return /^\s*<(!doctype|html)/i.test(text) ? '' : text.replace(/\s+/g, ' ').trim();
}

const resultOf = (answer: OutboundResponse): Result => ({
  status: answer.status,
  headers: answer.headers,
  body: bodyOf(answer, 'auto'),
});

async function collect(call: Call, operation: ConnectorOperation, first: ApiCall): Promise<Result> {
  const items: unknown[] = [];
  let bytes = 0;
  let next: ApiCall | undefined = first;
  for (let pages = 1; ; pages += 1) {
    const answer: OutboundResponse = await send(call, next);
    const result = resultOf(answer);
    const page = at(result.body, operation.items ?? '');
    if (Array.isArray(page)) items.push(...(page as unknown[]));
    bytes += answer.body.length;
    if (bytes > MAX_BYTES)
      throw new NodeFailure('TOO_LARGE', `All pages together are larger than ${MAX_BYTES} bytes.`, false);
    const target = nextPage(operation, next.url, answer, result.body, items.length);
    if (target === undefined) return { ...result, body: items };
    if (items.length >= MAX_ITEMS || pages === MAX_PAGES) {
      call.log('warn', `There is more: the first ${items.length} items were taken`);
      return { ...result, body: items, hasMore: true };
    }
    next = { ...first, url: typeof target === 'string' ? nextAddress(next.url, target) : target };
  }
}
