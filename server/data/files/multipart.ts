import type { Readable, Writable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { invalidRequestProblem, ApiProblem } from '@/server/platform/errors/problem';
import { decodeFieldValues } from '@/server/platform/messages/form-encoding';
import { UnreadableTextError } from '@/server/platform/messages/text-encoding';
import { BYTES_PER_MIB } from '@/contract/units';

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

const malformedFormProblem = (cause?: unknown) =>
  new ApiProblem('VALIDATION_ERROR', 'The body is not a valid multipart form.', [], { cause });
const namelessPartProblem = () => invalidRequestProblem([], 'The form has a part without a name.');

/** Whether a file has no name and no content, which browsers send for a file field that was left empty. */
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

/** Bytes that are parsed in one go: the smallest parts take a few milliseconds. */
const PARSE_PIECE_BYTES = 8 * 1024;

async function* splitParserInput(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const timer = new YieldTimer();
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PARSE_PIECE_BYTES) {
      if (timer.isDue) await timer.take();
      yield chunk.subarray(at, at + PARSE_PIECE_BYTES);
    }
  }
}

/** Passes a form to the parser piece by piece, so that what the parser throws at a piece rejects. */
async function feedParser(source: AsyncIterable<Uint8Array>, parser: Writable): Promise<void> {
  for await (const piece of splitParserInput(source)) {
    await new Promise<void>((resolve, reject) => {
      parser.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  parser.end();
}

const toErrorObject = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Reads a multipart form as it arrives: names and values in their order; the value of a file is what `onFile` makes of
 * it, null for a file field that was left empty. Nothing but fields is kept in memory. Throws a Problem.
 */
export async function readMultipartForm(
  source: Readable,
  contentType: string,
  { onFile, maxFields = 10_000, maxFieldBytes = 10 * BYTES_PER_MIB, maxFiles = 100 }: MultipartOptions,
): Promise<[string, unknown][]> {
  const entries: [string, unknown][] = [];
  const fields: [name: string, bytes: string][] = [];
  const files: Promise<void>[] = [];
  const streams: BusboyFileStream[] = [];
  let fieldBytes = 0;
  const parser = createFormParser(contentType, { fields: maxFields, files: maxFiles, fieldSize: maxFieldBytes });
  const outcome = new Promise<void>((resolve, reject) => {
    /**
     * The parser calls handlers from timers and streams: an error there would reach nobody, and no answer would follow.
     */
    const handling =
      <Parameters extends unknown[]>(handle: (...parameters: Parameters) => void) =>
      (...parameters: Parameters) => {
        try {
          handle(...parameters);
        } catch (error) {
          reject(toErrorObject(error));
        }
      };
    const refuseMoreThan = (what: string) => () => reject(invalidRequestProblem([], `The form has more than ${what}.`));
    parser.on(
      'field',
      handling((name: string | undefined, value: string, _nameTruncated: boolean, isTruncated: boolean) => {
        if (name === undefined) throw namelessPartProblem();
        // A character is a byte, unless the part names an encoding.
        fieldBytes += Buffer.byteLength(name) + value.length;
        if (isTruncated || fieldBytes > maxFieldBytes) refuseMoreThan(`${maxFieldBytes} bytes of fields`)();
        else {
          const field: [string, string] = [name, value];
          fields.push(field);
          entries.push(field);
        }
      }),
    );
    parser.on(
      'file',
      handling((name: string | undefined, stream: BusboyFileStream, fileName: string | undefined, _, type: string) => {
        // Its reader gets the error; without a reader it would end the process.
        streams.push(stream.on('error', () => undefined));
        if (name === undefined) throw namelessPartProblem();
        const entry: [string, unknown] = [name, null];
        entries.push(entry);
        const file: MultipartFile = { name: fileName, contentType: type, content: stream };
        const read = async () => {
          if (!(await isEmptyField(file))) entry[1] = await onFile(name, file);
        };
        files.push(
          read().catch((error: unknown) => {
            stream.resume();
            reject(toErrorObject(error));
          }),
        );
      }),
    );
    parser.on('fieldsLimit', refuseMoreThan(`${maxFields} fields`));
    parser.on('filesLimit', refuseMoreThan(`${maxFiles} files`));
    parser.on('partsLimit', refuseMoreThan(`${maxFields + maxFiles} parts`));
    parser.on('error', () => reject(malformedFormProblem()));
    parser.on('finish', resolve);
    feedParser(source, parser).catch((error: unknown) => reject(source.errored ?? malformedFormProblem(error)));
  });
  try {
    await outcome;
    await Promise.all(files);
  } catch (error) {
    source.destroy();
    parser.destroy();
    // The reader of a file gets an error, because the file is incomplete.
    for (const stream of streams) stream.destroy(new Error('The form was not read to its end.'));
    await Promise.all(files);
    throw error;
  }
  decodeFormFields(fields);
  return entries;
}

/** Puts the text of fields in the place of their bytes. Throws a Problem. */
function decodeFormFields(fields: [name: string, bytes: string][]): void {
  // A part that names an encoding of its own has its text already.
  const raw = fields.filter(([, value]) => !BEYOND_LATIN1_PATTERN.test(value));
  try {
    decodeFieldValues(raw).forEach((text, index) => {
      const field = raw[index];
      if (field) field[1] = text;
    });
  } catch (error) {
    throw error instanceof UnreadableTextError
      ? invalidRequestProblem([], `The form cannot be read. ${error.message}`)
      : error;
  }
}

const BEYOND_LATIN1_PATTERN = /[^\u0000-\u00ff]/;

function createFormParser(contentType: string, limits: { fields: number; files: number; fieldSize: number }) {
  try {
    return Busboy({
      headers: { 'content-type': contentType },
      // Bytes as characters: the encoding is known at the end of the form only.
      defCharset: 'latin1',
      limits: { ...limits, parts: limits.fields + limits.files, headerPairs: 50, headerSize: 16 * 1024 },
    });
  } catch {
    throw malformedFormProblem();
  }
}
