import { readErrorResponse } from './errors.js';
import type { ApiCaller } from './calls.js';
import type { RequestContent, OpenedBody, HttpTransport } from './transport.js';
import type { CallOptions, Schemas } from './types.js';

/** The bytes of a file in parts: a stream of the web or of Node.js. */
type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * What is uploaded. A stream is sent once; a function that opens one is called for each attempt. Browsers that send no
 * streams take a `Blob`, such as the file of an input.
 */
export type FileSource = Blob | Uint8Array<ArrayBuffer> | ByteStream | (() => ByteStream);

export interface UploadOptions extends CallOptions {
  /** Default: that of a `File`, else `file`. */
  name?: string;
  /** Default: that of a `Blob`, else `application/octet-stream`. */
  contentType?: string;
}

export interface DownloadOptions extends CallOptions {
  /** The first and the last byte; without `end` up to the end of the file. */
  range?: { start: number; end?: number };
}

/** A file whose bytes are still arriving. */
export interface Download {
  stream: ReadableStream<Uint8Array>;
  name: string;
  contentType: string;
  /** The number of bytes in the stream. */
  size: number;
}

/** Files in inputs and results of runs, as streams: none is ever in memory as a whole. */
export class Files {
  readonly #calls: ApiCaller;
  readonly #transport: HttpTransport;

  constructor(calls: ApiCaller, transport: HttpTransport) {
    this.#calls = calls;
    this.#transport = transport;
  }

  /** Returns the value that names the file in the input of a run. */
  async upload(
    source: FileSource,
    { name, contentType, headers, ...options }: UploadOptions = {},
  ): Promise<Schemas['UploadedFile']> {
    const shown = name ?? (source instanceof Blob && 'name' in source ? String(source.name) : 'file');
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(shown).replace(/['()*]/g, percentEncode)}`;
    const type = contentType ?? ((source instanceof Blob && source.type) || 'application/octet-stream');
    const answer = await this.#transport.call({
      ...options,
      method: 'POST',
      path: '/api/files',
      content: uploadContent(source, type),
      headers: { ...headers, 'content-disposition': disposition },
      isTransfer: true,
    });
    return answer as Schemas['UploadedFile'];
  }

  /** Throws `WeftError` before there is a stream. A connection that is lost later is an error of the stream. */
  async download(id: string, { range, headers, ...options }: DownloadOptions = {}): Promise<Download> {
    const { response } = await this.#transport.send({
      ...options,
      method: 'GET',
      path: `/api/files/${encodeURIComponent(id)}`,
      headers: { ...headers, ...(range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {}) },
      isTransfer: true,
    });
    if (!response.ok) throw await readErrorResponse(response);
    const [, name = ''] = /filename\*=UTF-8''([^;\s]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? [];
    return {
      stream: response.body ?? new Blob([]).stream(),
      name: decodeURIComponent(name),
      contentType: response.headers.get('content-type') ?? 'application/octet-stream',
      size: Number(response.headers.get('content-length')),
    };
  }

  /** Deletes the file. Executions and rows keep the value that names it. */
  delete(id: string, options: CallOptions = {}): Promise<undefined> {
    return this.#calls.delete('/api/files/{id}', { path: { id }, ...options });
  }
}

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function uploadContent(source: FileSource, type: string): RequestContent {
  if (source instanceof Blob || source instanceof Uint8Array)
    return { type, open: () => ({ body: source }), isRepeatable: true };
  if (typeof source === 'function') return { type, open: () => openUploadStream(source()), isRepeatable: true };
  // The stream is read from now on: if it failed before it is sent, nobody would handle its error, which ends a Node.js
  // program.
  const opened = openUploadStream(source);
  return { type, open: () => opened, isRepeatable: false };
}

/**
 * Converts a source to the stream that `fetch` takes. Not every browser has `ReadableStream.from`, or can iterate over
 * streams of the web.
 */
function openUploadStream(source: ByteStream): OpenedBody {
  const failures: unknown[] = [];
  const parts = source instanceof ReadableStream ? source.getReader() : source[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await ('read' in parts ? parts.read() : parts.next());
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    },
    async cancel(reason) {
      await ('read' in parts ? parts.cancel(reason) : parts.return?.(reason));
    },
  });
  return { body, failures };
}
