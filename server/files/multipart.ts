import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { invalid } from '@/server/errors/problem';

/** A file of a multipart form. */
export interface MultipartFile {
  /** Undefined: none was sent. */
  name: string | undefined;
  contentType: string;
  content: AsyncIterable<Uint8Array>;
}

export interface MultipartOptions {
  /** Reads `content` to its end; what it resolves with is the value of the field. */
  onFile(field: string, file: MultipartFile): Promise<unknown>;
  maxFields?: number;
  /** Bytes of all fields together. */
  maxFieldBytes?: number;
  maxFiles?: number;
}

const MIB = 1024 * 1024;

const malformed = () => invalid([], 'The body is not a valid multipart form.');

/** What browsers send for a file field that was left empty: no name, no content. */
async function isEmptyField(file: MultipartFile): Promise<boolean> {
  if (file.name) return false;
  const parts = file.content[Symbol.asyncIterator]();
  const first = await parts.next();
  if (first.done) return true;
  file.content = (async function* () {
    yield first.value;
    for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
  })();
  return false;
}

/**
 * Reads a multipart form as it arrives: names and values in their order; the value of a file is what `onFile` makes of it, null for a file
 * field that was left empty. Nothing but fields is kept in memory. Throws a Problem.
 */
export async function readMultipart(
  source: Readable,
  contentType: string,
  { onFile, maxFields = 10_000, maxFieldBytes = 10 * MIB, maxFiles = 100 }: MultipartOptions,
): Promise<[string, unknown][]> {
  const entries: [string, unknown][] = [];
  const files: Promise<void>[] = [];
  const streams: BusboyFileStream[] = [];
  let fieldBytes = 0;
  const parser = parserOf(contentType, { fields: maxFields, files: maxFiles, fieldSize: maxFieldBytes });
  const outcome = new Promise<void>((resolve, reject) => {
    const tooMany = (what: string) => () => reject(invalid([], `The form has more than ${what}.`));
    parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
      if (isTruncated || fieldBytes > maxFieldBytes) tooMany(`${maxFieldBytes} bytes of fields`)();
      else entries.push([name, value]);
    });
    parser.on('file', (name, stream: BusboyFileStream, fileName: string | undefined, _encoding, type) => {
      // Its reader gets the error; without a reader it would end the process.
      streams.push(stream.on('error', () => undefined));
      const entry: [string, unknown] = [name, null];
      entries.push(entry);
      const file: MultipartFile = { name: fileName, contentType: type, content: stream };
      const read = async () => {
        if (!(await isEmptyField(file))) entry[1] = await onFile(name, file);
      };
      files.push(
        read().catch((error: unknown) => {
          stream.resume();
          reject(error instanceof Error ? error : new Error(String(error)));
        }),
      );
    });
    parser.on('fieldsLimit', tooMany(`${maxFields} fields`));
    parser.on('filesLimit', tooMany(`${maxFiles} files`));
    parser.on('partsLimit', tooMany(`${maxFields + maxFiles} parts`));
    parser.on('error', () => reject(malformed()));
    source.on('error', reject);
    parser.on('finish', resolve);
  });
  source.pipe(parser);
  try {
    await outcome;
    await Promise.all(files);
  } catch (error) {
    source.unpipe(parser);
    source.destroy();
    parser.destroy();
    // The reader of a file gets an error, because the file is incomplete.
    for (const stream of streams) stream.destroy(new Error('The form was not read to its end.'));
    await Promise.all(files);
    throw error;
  }
  return entries;
}

function parserOf(contentType: string, limits: { fields: number; files: number; fieldSize: number }) {
  try {
    return Busboy({
      headers: { 'content-type': contentType },
      limits: { ...limits, parts: limits.fields + limits.files, fieldNameSize: 1000, headerPairs: 50 },
    });
  } catch {
    throw malformed();
  }
}
