import { Readable } from 'node:stream';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { findBodyDecoder, collectBodyParts } from '@/server/api/operation/content-encoding';
import { requireJsonContentType, parseJsonOrProblem, readJsonOrProblem } from '@/server/api/operation/json';
import { parseRawQuery } from '@/server/api/operation/form';
import { listSentHeaders } from '@/server/api/operation/incoming';
import type { WebhookCall } from '@/server/api/operation/operation';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import { invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';
import { EvaluationFailedError, parseLargeRequest } from '@/server/evaluation/evaluator/evaluation';
import type { RequestBodyForm } from '@/server/evaluation/evaluator/jobs';
import { readMultipartForm } from '@/server/data/files/multipart';
import { dispositionFileName } from '@/server/platform/messages/content-disposition';
import { discardFiles, toFileValue } from '@/server/data/files/rows';
import { storeSpooledFile, storeUpload } from '@/server/data/files/store';
import { MAX_WEBHOOK_BODY_BYTES, MAX_SPOOLED_BODY_BYTES } from '@/server/api/pipeline/steps/delivery-body';
import { DEFAULT_MAX_BODY_BYTES } from '@/server/api/pipeline/steps/parse';
import {
  requestBodyType,
  parseFormBody,
  MAX_PARSED_AT_ONCE,
  groupPairsByName,
  UnreadableBodyError,
} from '@/server/platform/messages/request-body';
import {
  contentTypeCharset,
  isKnownEncoding,
  decodeWholeText,
  UnreadableTextError,
} from '@/server/platform/messages/text-encoding';
import type { CallingWebhook } from '@/server/triggers/webhooks/lookup';
import { webhookVerifier } from '@/server/triggers/webhooks/verification';

/** Larger bodies are parsed in an evaluator process. */
const MAX_INLINE_PARSE_BYTES = 64 * 1024;
/** Smaller bodies are passed on as they are, so the number of their values is not limited. */
const UNLIMITED_JSON_SIZE = { values: Infinity, fields: Infinity };

/** The content of one delivery. It is read once, however often the delivery is tried, because that stores its files. */
export class DeliveryContent {
  private value: { of: unknown } | undefined;
  private readonly files: string[] = [];
  private isKept = false;

  constructor(
    private readonly call: Pick<WebhookCall, 'rawBody' | 'spool' | 'headers'> & { webhook: { workspaceId: string } },
    /** Bytes that a body in memory may have when it is decompressed. */
    private readonly limit = MAX_WEBHOOK_BODY_BYTES,
  ) {}

  /**
   * Returns the value of the body. A documented webhook takes only JSON. Otherwise the content type decides: JSON as it
   * is, a form as an object, text and XML as a string, an empty body as null, anything else as a file. Only large
   * bodies, multipart forms and files need a promise.
   */
  of(webhook: Pick<CallingWebhook, 'isDocumented'>): unknown {
    const { headers } = this.call;
    if (webhook.isDocumented) {
      requireJsonContentType(headers);
      return this.withBytes(DEFAULT_MAX_BODY_BYTES, (bytes) => this.parse(bytes, { kind: 'json' }));
    }
    this.value ??= { of: this.read() };
    return this.value.of;
  }

  /** Keeps the files, because a run that names them is stored. */
  keepFiles(): void {
    this.isKept = true;
  }

  /** Removes the files of a delivery that started no run. */
  async discard(): Promise<void> {
    if (this.isKept || this.files.length === 0) return;
    await discardFiles(this.call.webhook.workspaceId, this.files);
  }

  private read(): unknown {
    const { rawBody, spool, headers } = this.call;
    if (!spool && rawBody.length === 0) return null;
    const header = headers.get('content-type') ?? '';
    const kind = requestBodyType(header);
    if (kind === 'multipart') return this.readForm(header);
    if (kind === 'file') return this.storeBody(header);
    return this.withBytes(this.limit, (bytes) => {
      if (bytes.length === 0) return null;
      if (kind === 'text') return this.parseText(bytes, headers);
      if (kind === 'form') return this.parse(bytes, { kind, charset: contentTypeCharset(header) });
      requireJsonContentType(headers);
      return this.parse(bytes, { kind });
    });
  }

  /** Passes on the decompressed bytes of a body in memory. Only a compressed body needs a promise. */
  private withBytes(max: number, use: (bytes: Uint8Array) => unknown): unknown {
    const { rawBody, headers } = this.call;
    const decode = findBodyDecoder(headers);
    return decode ? collectBodyParts(decode(Readable.from([rawBody]), max)).then(use) : use(rawBody);
  }

  /** Streams the decompressed body. */
  private stream(): Readable {
    const { rawBody, spool, headers } = this.call;
    const sent = spool?.stream() ?? Readable.from([rawBody]);
    const decoded = findBodyDecoder(headers)?.(sent, MAX_SPOOLED_BODY_BYTES);
    return decoded ? Readable.from(decoded, { objectMode: false }) : sent;
  }

  private parse(rawBody: Uint8Array, form: RequestBodyForm): unknown {
    const { webhook } = this.call;
    if (rawBody.length > MAX_INLINE_PARSE_BYTES) return parseInEvaluator(rawBody, form, webhook.workspaceId);
    if (form.kind === 'json')
      return rawBody.length > MAX_PARSED_AT_ONCE
        ? readJsonOrProblem(rawBody, UNLIMITED_JSON_SIZE)
        : parseJsonOrProblem(rawBody);
    try {
      return parseFormBody(rawBody, form.charset);
    } catch (error) {
      throw error instanceof UnreadableBodyError ? invalidRequestProblem([], error.message) : error;
    }
  }

  private parseText(rawBody: Uint8Array, headers: CallHeaders): unknown {
    const { webhook } = this.call;
    const charset = requireKnownCharset(headers);
    if (rawBody.length > MAX_INLINE_PARSE_BYTES)
      return parseInEvaluator(rawBody, { kind: 'text', charset }, webhook.workspaceId);
    try {
      return decodeWholeText(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.length), { charset });
    } catch (error) {
      throw error instanceof UnreadableTextError
        ? invalidRequestProblem([], `The body cannot be read as text. ${error.message}`)
        : error;
    }
  }

  private async readForm(header: string): Promise<unknown> {
    const entries = await readMultipartForm(this.stream(), header, {
      onFile: (_, { name, contentType, content }) => this.store(content, name, contentType),
    });
    return groupPairsByName(entries);
  }

  private async storeBody(contentType: string): Promise<FileValue> {
    const { spool, headers, webhook } = this.call;
    const name = dispositionFileName(headers.get('content-disposition'));
    if (!spool || findBodyDecoder(headers)) return this.store(this.stream(), name, contentType);
    if (spool.size > MAX_FILE_BYTES)
      throw invalidRequestProblem([], `The file is larger than ${MAX_FILE_BYTES} bytes.`);
    const file = toFileValue(await storeSpooledFile(spool, { workspaceId: webhook.workspaceId, name, contentType }));
    this.files.push(file.$file);
    return file;
  }

  private async store(content: AsyncIterable<Uint8Array>, name: string | undefined, contentType: string) {
    const { workspaceId } = this.call.webhook;
    const file = await storeUpload(content, { workspaceId, name, contentType });
    this.files.push(file.$file);
    return file;
  }
}

async function parseInEvaluator(rawBody: Uint8Array, form: RequestBodyForm, workspaceId: string): Promise<unknown> {
  try {
    return await parseLargeRequest(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.length), form, {
      workspaceId,
    });
  } catch (error) {
    const isOfBody = error instanceof EvaluationFailedError && /^(UNREADABLE|EVALUATION_)/.test(error.failure.code);
    throw isOfBody ? invalidRequestProblem([], error.message) : error;
  }
}

/**
 * Returns the charset of the content type, or undefined if it names none and the text may declare its own. Throws 415
 * for an unknown one.
 */
function requireKnownCharset(headers: CallHeaders): string | undefined {
  const charset = contentTypeCharset(headers.get('content-type') ?? '');
  if (charset === undefined || isKnownEncoding(charset)) return charset;
  const message = `The character set ${charset.slice(0, 40)} is not known.`;
  throw new ApiProblem('VALIDATION_ERROR', message, [], { status: 415 });
}

/** They may hold secrets of the sender. */
const PRIVATE = ['authorization', 'proxy-authorization', 'cookie'];

/** The input of a run: the body, or the request around it without what the verification reads. */
export function inputFrom(call: WebhookCall, webhook: CallingWebhook, body: unknown): unknown {
  if (webhook.input === 'body') return body;
  const { method, path, rawQuery, ipAddress } = call;
  const omitted = new Set([...PRIVATE, ...webhookVerifier(webhook).reads]);
  const headers = Object.entries(listSentHeaders(call.headers)).filter(([name]) => !omitted.has(name));
  return {
    method,
    path,
    query: groupPairsByName(parseRawQuery(rawQuery)),
    headers: Object.fromEntries(headers),
    body,
    ip: ipAddress,
  };
}
