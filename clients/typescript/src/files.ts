import { errorOf } from './errors.js';
import type { Calls } from './calls.js';
import type { Content, Opened, Transport } from './transport.js';
import type { CallOptions, Schemas } from './types.js';

/** The bytes of a file in parts: a stream of the web or of Node.js. */
type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * What is uploaded. A stream is sent once; a function that opens one is called for each attempt. Browsers that send no streams take a
 * `Blob`, such as the file of an input.
 */
export type FileSource = Blob | Uint8Array<ArrayBuffer> | Stream | (() => Stream);

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

/** A file as it arrives. */
export interface Download {
  stream: ReadableStream<Uint8Array>;
  name: string;
  contentType: string;
  /** Bytes of the stream. */
  size: number;
}

/** Files in inputs and results of runs, as streams: none is ever in memory as a whole. */
export class Files {
  readonly #calls: Calls;
  readonly #transport: Transport;

  constructor(calls: Calls, transport: Transport) {
    this.#calls = calls;
    this.#transport = transport;
  }

  /** Its answer, in the input of a run, names the file. */
  async upload(
    source: FileSource,
    { name, contentType, headers, ...options }: UploadOptions = {},
  ): Promise<Schemas['UploadedFile']> {
    const shown = name ?? (source instanceof Blob && 'name' in source ? String(source.name) : 'file');
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(shown).replace(/['()*]/g, percentEncoded)}`;
    const type = contentType ?? ((source instanceof Blob && source.type) || 'application/octet-stream');
    const answer = await this.#transport.call({
      ...options,
      method: 'POST',
      path: '/api/files',
      content: contentOf(source, type),
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
    if (!response.ok) throw await errorOf(response);
    const [, name = ''] = /filename\*=UTF-8''([^;\s]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? [];
    return {
      stream: response.body ?? new Blob([]).stream(),
      name: decodeURIComponent(name),
      contentType: response.headers.get('content-type') ?? 'application/octet-stream',
      size: Number(response.headers.get('content-length')),
    };
  }

  /** Executions and rows keep the value that names it. */
  delete(id: string, options: CallOptions = {}): Promise<undefined> {
    return this.#calls.delete('/api/files/{id}', { path: { id }, ...options });
  }
}

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function contentOf(source: FileSource, type: string): Content {
  if (source instanceof Blob || source instanceof Uint8Array)
    return { type, open: () => ({ body: source }), isRepeatable: true };
  if (typeof source === 'function') return { type, open: () => openStream(source()), isRepeatable: true };
  // Read from now on: nobody else listens to a stream of Node.js that fails before it is sent, which would end the program.
  const opened = openStream(source);
  return { type, open: () => opened, isRepeatable: false };
}

/** As `fetch` takes it. `ReadableStream.from` is not in every browser, and neither are streams of the web that can be iterated. */
function openStream(source: Stream): Opened {
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
