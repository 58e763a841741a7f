import { setTimeout as pause } from 'node:timers/promises';
import type { LogLevel } from '@/contract/execution-log';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { summarizeResponse } from '@/server/network/outbound/response-summary';
import { readRefusalBody, parseRetryAfter } from '@/server/network/outbound/content';
import { createFileSink, type WorkspaceFileAccess } from '@/server/network/outbound/files';
import {
  sendOutboundRequest,
  type OutboundRequest,
  type OutboundResponse,
  type BodySink,
} from '@/server/network/outbound/outbound';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import { fetchCsrfHeaders } from '../authorization/csrf';
import type { ConnectorDefinition } from '../connector';
import { sendWithCredential, type CredentialHandle } from '../credential-handle';
import type { ResponseFile } from '../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { decodeBase64Field } from './base64-field';
import { encodeApiBody, requireFileAccess } from './body';
import type { PreparedCall } from './endpoint';

/** Everything besides the request that sending a call needs. */
export interface CallContext {
  connector: ConnectorDefinition;
  workspaceId: string;
  /** Absent if the call needs none. */
  credential?: CredentialHandle | undefined;
  /** The files of the workspace; absent: operations with files fail. */
  files?: WorkspaceFileAccess | undefined;
  /** Removes secrets from error texts. */
  secrets: ValueRedactor;
  signal: AbortSignal;
  idempotencyKey: string;
  reserve?: ((bytes: number) => Promise<void>) | undefined;
  log(level: LogLevel, message: string): void;
}

/**
 * A wait that the provider requests is honoured up to this length and number; longer waits are left to the node's
 * retries.
 */
const MAX_PROVIDER_WAIT_MS = 20_000;
const MAX_RETRY_WAITS = 3;
export const MAX_API_RESPONSE_BYTES = 10 * 1024 * 1024;

const isAcceptedStatus = (status: number) => status < 400;

/**
 * Sends a call, waits for a short time if the provider asks for it, and throws on a status of 400 or more. `number`
 * counts the calls of the operation from 1.
 */
export async function sendPreparedCall(sender: CallContext, call: PreparedCall, number = 1): Promise<OutboundResponse> {
  const { connector, credential, files, signal, reserve, log } = sender;
  const { method, url, asFile } = call;
  const isChange = method !== 'GET';
  const idempotencyKey = number === 1 ? sender.idempotencyKey : `${sender.idempotencyKey}:${number}`;
  const content = call.body && (await encodeApiBody(call.body, files));
  const headers = { ...(content?.type ? { 'Content-Type': content.type } : {}), ...call.headers };
  for (let waits = 0; ; waits += 1) {
    const csrf =
      isChange && credential && connector.hasCsrfTokens ? await fetchCsrfHeaders(credential, url, signal) : {};
    const all = { ...headers, ...(isChange ? { 'Idempotency-Key': idempotencyKey } : {}), ...csrf };
    const answer = await sendSingleRequest(sender, {
      url,
      method,
      headers: all,
      body: content?.body,
      sink: asFile && responseFileSink(asFile, requireFileAccess(files)),
      signal,
      reserve,
      timeoutMs: null,
      maxBytes: MAX_API_RESPONSE_BYTES,
    });
    log('info', `${method} ${url.host} answered ${answer.status}`);
    if (isAcceptedStatus(answer.status)) return answer;
    const waitMs = parseRetryAfter(answer.headers['retry-after']);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || waitMs === 0 || waitMs > MAX_PROVIDER_WAIT_MS || waits === MAX_RETRY_WAITS)
      throw refusedCallFailure(sender, answer, waitMs);
    log('warn', `${connector.name} asks to wait ${Math.ceil(waitMs / 1000)} s`);
    await pause(waitMs, undefined, { signal });
  }
}

const sendSingleRequest = ({ credential, workspaceId }: CallContext, options: Omit<OutboundRequest, 'workspaceId'>) =>
  credential
    ? sendWithCredential(credential, options)
    : sendOutboundRequest({ ...options, workspaceId, isTraced: true });

function responseFileSink(file: ResponseFile, files: WorkspaceFileAccess): BodySink {
  const sink = createFileSink(files, isAcceptedStatus, file);
  const { base64At } = file;
  if (base64At === undefined) return sink;
  return {
    ...sink,
    // Base64 is a third longer than its content.
    maxBytes: Math.ceil((sink.maxBytes * 4) / 3) + MAX_OTHER_FIELD_BYTES,
    receive: (response, body) => sink.receive(response, decodeBase64Field(body, base64At)),
  };
}

/** Bytes that a response may contain besides its file. */
const MAX_OTHER_FIELD_BYTES = 64 * 1024;

/** Statuses that a retry may change. */
const isTransientStatus = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function refusedCallFailure(
  { connector, credential, secrets }: CallContext,
  response: OutboundResponse,
  retryAfterMs: number,
) {
  const answer = summarizeResponse(response, secrets);
  const reason = shortenReason(secrets, extractReason(response));
  if (answer.status === 401 && credential) {
    const message = `${connector.name} does not accept the credential "${credential.credential.name}" any more${reason && `: ${reason}`}. Connect it again.`;
    return new NodeFailure('CREDENTIAL_REFUSED', message, false, 0, { answer });
  }
  return createNodeFailure(
    'HTTP_STATUS',
    { server: connector.name, status: answer.status, reason: reason || undefined },
    { isRetriable: isTransientStatus(answer.status), retryAfterMs, answer },
  );
}

const shortenReason = (secrets: ValueRedactor, reason: string): string => secrets.text(reason).slice(0, 500);

/** Fields in which providers explain an error. */
const REASON_PATHS = [
  'error.message.value',
  'error.message',
  'error_description',
  'description',
  'message',
  'errorMessages',
  'errors',
  'error',
  'detail',
  'title',
];

function extractReason(answer: OutboundResponse): string {
  if (answer.body.length > MAX_PARSED_JSON) return '';
  const body = readRefusalBody(answer);
  const from = Array.isArray(body) ? body[0] : body;
  const isReason = (value: unknown) =>
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  const found = typeof from === 'string' ? from : REASON_PATHS.map((path) => getAtPath(from, path)).find(isReason);
  return toReasonText(found);
}

function toReasonText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return /^\s*<(!doctype|html)/i.test(text) ? '' : text.replace(/\s+/g, ' ').trim();
}

/** Throws for a response that refuses although its status means success. */
export function requireNoRefusal(sender: CallContext, response: OutboundResponse, body: unknown): void {
  const { connector, secrets } = sender;
  const { refusal } = connector;
  if (!refusal || typeof body !== 'object' || body === null) return;
  const found = getAtPath(body, refusal.at);
  const isRefused = refusal.kind === 'flag' ? found === false : Array.isArray(found) && found.length > 0;
  if (!isRefused) return;
  const first = refusal.kind === 'flag' ? getAtPath(body, refusal.reason) : (found as unknown[])[0];
  const given = refusal.kind === 'errors' ? (getAtPath(first, 'message') ?? first) : first;
  const reason = shortenReason(secrets, toReasonText(given));
  const message = `${connector.name} refused${reason && `: ${reason}`}`;
  throw new NodeFailure('API_REFUSED', message, false, 0, { answer: summarizeResponse(response, secrets) });
}
