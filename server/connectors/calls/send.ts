import { setTimeout as pause } from 'node:timers/promises';
import type { LogLevel } from '@/contract/execution-log';
import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_PARSED } from '@/server/expressions/large-json';
import { answerOf } from '@/server/outbound/answer';
import { refusalIn, retryAfterOf } from '@/server/outbound/content';
import { fileSink, type FileAccess } from '@/server/outbound/files';
import { request, type OutboundRequest, type OutboundResponse, type Sink } from '@/server/outbound/outbound';
import type { Redactor } from '@/server/redaction/redactor';
import { csrfHeaders } from '../authorization/csrf';
import type { Connector } from '../connector';
import { sendAs, type CredentialHandle } from '../credential-handle';
import type { AnswerFile } from '../operation';
import { at } from '@/server/expressions/dotted-path';
import { base64Field } from './base64-field';
import { contentOf, required } from './body';
import type { ApiCall } from './endpoint';

/** What a call is sent with. */
export interface Sender {
  connector: Connector;
  workspaceId: string;
  /** Absent: the call is one that needs none. */
  credential?: CredentialHandle | undefined;
  /** The files of the workspace; absent: operations with files fail. */
  files?: FileAccess | undefined;
  /** Removes secrets from error texts. */
  secrets: Redactor;
  signal: AbortSignal;
  idempotencyKey: string;
  reserve?: ((bytes: number) => Promise<void>) | undefined;
  log(level: LogLevel, message: string): void;
}

/** A wait that the provider requests is honoured up to this length and number; longer waits are left to the node's retries. */
const LONGEST_WAIT_MS = 20_000;
const MAX_WAITS = 3;
export const MAX_BYTES = 10 * 1024 * 1024;

const isAccepted = (status: number) => status < 400;

/**
 * Sends, waits for a short time if the provider asks for it, and throws on a status of 400 or more. `number`: of the call within the operation,
 * from 1.
 */
export async function send(sender: Sender, call: ApiCall, number = 1): Promise<OutboundResponse> {
  const { connector, credential, files, signal, reserve, log } = sender;
  const { method, url, asFile } = call;
  const isChange = method !== 'GET';
  const idempotencyKey = number === 1 ? sender.idempotencyKey : `${sender.idempotencyKey}:${number}`;
  const content = call.body && (await contentOf(call.body, files));
  const headers = { ...(content?.type ? { 'Content-Type': content.type } : {}), ...call.headers };
  for (let waits = 0; ; waits += 1) {
    const csrf = isChange && credential && connector.hasCsrfTokens ? await csrfHeaders(credential, url, signal) : {};
    const all = { ...headers, ...(isChange ? { 'Idempotency-Key': idempotencyKey } : {}), ...csrf };
    const answer = await sendBy(sender, {
      url,
      method,
      headers: all,
      body: content?.body,
      sink: asFile && sinkOf(asFile, required(files)),
      signal,
      reserve,
      timeoutMs: null,
      maxBytes: MAX_BYTES,
    });
    log('info', `${method} ${url.host} answered ${answer.status}`);
    if (isAccepted(answer.status)) return answer;
    const waitMs = retryAfterOf(answer.headers['retry-after']);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || waitMs === 0 || waitMs > LONGEST_WAIT_MS || waits === MAX_WAITS)
      throw refused(sender, answer, waitMs);
    log('warn', `${connector.name} asks to wait ${Math.ceil(waitMs / 1000)} s`);
    await pause(waitMs, undefined, { signal });
  }
}

const sendBy = ({ credential, workspaceId }: Sender, options: Omit<OutboundRequest, 'workspaceId'>) =>
  credential ? sendAs(credential, options) : request({ ...options, workspaceId, isTraced: true });

function sinkOf(file: AnswerFile, files: FileAccess): Sink {
  const sink = fileSink(files, isAccepted, file);
  const { base64At } = file;
  if (base64At === undefined) return sink;
  return {
    ...sink,
    // Base64 is a third longer than its content.
    maxBytes: Math.ceil((sink.maxBytes * 4) / 3) + OTHER_FIELDS,
    receive: (response, body) => sink.receive(response, base64Field(body, base64At)),
  };
}

/** Bytes beside a file in an answer. */
const OTHER_FIELDS = 64 * 1024;

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

function refused({ connector, credential, secrets }: Sender, response: OutboundResponse, retryAfterMs: number) {
  const answer = answerOf(response, secrets);
  const reasonText = reasonFor(secrets, reasonIn(response));
  if (answer.status === 401 && credential) {
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

function reasonFor(secrets: Redactor, reason: string): string {
  const text = secrets.text(reason).slice(0, 500);
  return text === '' ? '' : `: ${text}`;
}

/** Fields in which providers explain an error. */
const REASONS = [
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

function reasonIn(answer: OutboundResponse): string {
  if (answer.body.length > MAX_PARSED) return '';
  const body = refusalIn(answer);
  const from = Array.isArray(body) ? body[0] : body;
  const isReason = (value: unknown) =>
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  const found = typeof from === 'string' ? from : REASONS.map((path) => at(from, path)).find(isReason);
  return asReason(found);
}

function asReason(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return /^\s*<(!doctype|html)/i.test(text) ? '' : text.replace(/\s+/g, ' ').trim();
}

/** Throws for an answer that refuses although its status says success. */
export function requireAccepted(sender: Sender, response: OutboundResponse, body: unknown): void {
  const { connector, secrets } = sender;
  const { refusal } = connector;
  if (!refusal || typeof body !== 'object' || body === null) return;
  const found = at(body, refusal.at);
  const isRefused = refusal.kind === 'flag' ? found === false : Array.isArray(found) && found.length > 0;
  if (!isRefused) return;
  const first = refusal.kind === 'flag' ? at(body, refusal.reason) : (found as unknown[])[0];
  const reason = refusal.kind === 'errors' ? (at(first, 'message') ?? first) : first;
  const message = `${connector.name} refused${reasonFor(secrets, asReason(reason))}`;
  throw new NodeFailure('API_REFUSED', message, false, 0, { answer: answerOf(response, secrets) });
}
