import { Readable } from 'node:stream';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { bodyDecoder, collectParts } from '@/server/api/content-encoding';
import { checkContentType, parseJson, readJson } from '@/server/api/json';
import { readQuery } from '@/server/api/form';
import { sentHeaders } from '@/server/api/incoming';
import type { WebhookCall } from '@/server/api/operation';
import type { CallHeaders } from '@/server/client-address';
import { invalid, Problem } from '@/server/errors/problem';
import { EvaluationFailed, readRequestBody } from '@/server/evaluation/evaluation';
import type { RequestForm } from '@/server/evaluation/jobs';
import { readMultipart } from '@/server/files/multipart';
import { nameInDisposition } from '@/server/content-disposition';
import { discardFiles, valueOf } from '@/server/files/rows';
import { storeSpool, storeUpload } from '@/server/files/store';
import { MAX_BODY, MAX_SPOOLED } from '@/server/pipeline/steps/delivery-body';
import { DEFAULT_MAX_BODY } from '@/server/pipeline/steps/parse';
import { bodyKindOf, formIn, MAX_PARSED_AT_ONCE, objectOf, UnreadableBody } from '@/server/request-body';
import { charsetOf, isKnownEncoding, readText, UnreadableText } from '@/server/text-encoding';
import type { CallingWebhook } from '@/server/webhooks/lookup';
import { verifierOf } from '@/server/webhooks/verification';

/** Larger bodies are parsed in an evaluator process. */
const MAX_PARSED_HERE = 64 * 1024;
/** Smaller ones may have as many values as they like: they are passed on as they are. */
const ANY_SIZE = { values: Infinity, fields: Infinity };

/** The content of one delivery. It is read once, however often the delivery is tried, because that stores its files. */
export class DeliveryContent {
  private value: { of: unknown } | undefined;
  private readonly files: string[] = [];
  private isKept = false;

  constructor(
    private readonly call: Pick<WebhookCall, 'rawBody' | 'spool' | 'headers'> & { webhook: { workspaceId: string } },
    /** Bytes that a body in memory may have when it is decompressed. */
    private readonly limit = MAX_BODY,
  ) {}

  /**
   * The value of the body: of a documented webhook JSON only. Otherwise by its content type: JSON as it is, a form as an object, text and XML
   * as a string, an empty body null, anything else a file. A promise only for large bodies, multipart forms and files.
   */
  of(webhook: Pick<CallingWebhook, 'isDocumented'>): unknown {
    const { headers } = this.call;
    if (webhook.isDocumented) {
      checkContentType(headers);
      return this.withBytes(DEFAULT_MAX_BODY, (bytes) => this.parse(bytes, { kind: 'json' }));
    }
    this.value ??= { of: this.read() };
    return this.value.of;
  }

  /** A run that names the files is stored. */
  keep(): void {
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
    const kind = bodyKindOf(header);
    if (kind === 'multipart') return this.readForm(header);
    if (kind === 'file') return this.storeBody(header);
    return this.withBytes(this.limit, (bytes) => {
      if (bytes.length === 0) return null;
      if (kind === 'text') return this.parseText(bytes, headers);
      if (kind === 'form') return this.parse(bytes, { kind, charset: charsetOf(header) });
      checkContentType(headers);
      return this.parse(bytes, { kind });
    });
  }

  /** The bytes of a body in memory, decompressed; a promise only for those that were sent compressed. */
  private withBytes(max: number, use: (bytes: Uint8Array) => unknown): unknown {
    const { rawBody, headers } = this.call;
    const decode = bodyDecoder(headers);
    return decode ? collectParts(decode(Readable.from([rawBody]), max)).then(use) : use(rawBody);
  }

  /** The body in parts, decompressed. */
  private stream(): Readable {
    const { rawBody, spool, headers } = this.call;
    const sent = spool?.stream() ?? Readable.from([rawBody]);
    const decoded = bodyDecoder(headers)?.(sent, MAX_SPOOLED);
    return decoded ? Readable.from(decoded, { objectMode: false }) : sent;
  }

  private parse(rawBody: Uint8Array, form: RequestForm): unknown {
    const { webhook } = this.call;
    if (rawBody.length > MAX_PARSED_HERE) return parseLarge(rawBody, form, webhook.workspaceId);
    if (form.kind === 'json')
      return rawBody.length > MAX_PARSED_AT_ONCE ? readJson(rawBody, ANY_SIZE) : parseJson(rawBody);
    try {
      return formIn(rawBody, form.charset);
    } catch (error) {
      throw error instanceof UnreadableBody ? invalid([], error.message) : error;
    }
  }

  private parseText(rawBody: Uint8Array, headers: CallHeaders): unknown {
    const { webhook } = this.call;
    const charset = knownCharset(headers);
    if (rawBody.length > MAX_PARSED_HERE) return parseLarge(rawBody, { kind: 'text', charset }, webhook.workspaceId);
    try {
      return readText(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.length), { charset });
    } catch (error) {
      throw error instanceof UnreadableText ? invalid([], `The body cannot be read as text. ${error.message}`) : error;
    }
  }

  private async readForm(header: string): Promise<unknown> {
    const entries = await readMultipart(this.stream(), header, {
      onFile: (_, { name, contentType, content }) => this.store(content, name, contentType),
    });
    return objectOf(entries);
  }

  private async storeBody(contentType: string): Promise<FileValue> {
    const { spool, headers, webhook } = this.call;
    const name = nameInDisposition(headers.get('content-disposition'));
    if (!spool || bodyDecoder(headers)) return this.store(this.stream(), name, contentType);
    if (spool.size > MAX_FILE_BYTES) throw invalid([], `The file is larger than ${MAX_FILE_BYTES} bytes.`);
    const file = valueOf(await storeSpool(spool, { workspaceId: webhook.workspaceId, name, contentType }));
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

async function parseLarge(rawBody: Uint8Array, form: RequestForm, workspaceId: string): Promise<unknown> {
  try {
    return await readRequestBody(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.length), form, {
      workspaceId,
    });
  } catch (error) {
    const isOfBody = error instanceof EvaluationFailed && /^(UNREADABLE|EVALUATION_)/.test(error.failure.code);
    throw isOfBody ? invalid([], error.message) : error;
  }
}

/** The charset that the content type names; undefined: it names none, and the text may declare its own. Throws 415. */
function knownCharset(headers: CallHeaders): string | undefined {
  const charset = charsetOf(headers.get('content-type') ?? '');
  if (charset === undefined || isKnownEncoding(charset)) return charset;
  const message = `The character set ${charset.slice(0, 40)} is not known.`;
  throw new Problem('VALIDATION_ERROR', message, [], { status: 415 });
}

/** They may hold secrets of the sender. */
const PRIVATE = ['authorization', 'proxy-authorization', 'cookie'];

/** The input of a run: the body, or the request around it without what the verification reads. */
export function inputFrom(call: WebhookCall, webhook: CallingWebhook, body: unknown): unknown {
  if (webhook.input === 'body') return body;
  const { method, path, rawQuery, ipAddress } = call;
  const omitted = new Set([...PRIVATE, ...verifierOf(webhook).reads]);
  const headers = Object.entries(sentHeaders(call.headers)).filter(([name]) => !omitted.has(name));
  return {
    method,
    path,
    query: objectOf(readQuery(rawQuery)),
    headers: Object.fromEntries(headers),
    body,
    ip: ipAddress,
  };
}
