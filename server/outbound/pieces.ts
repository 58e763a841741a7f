import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { asField } from './content';
import type { StoredFile } from './files';
import type { StreamedBody } from './outbound';

/** A part of a body: bytes, or content of a known length that is read when it is sent. */
export type Piece = Buffer | { size: number; open(): Promise<AsyncIterable<Uint8Array>> };

const sizeOf = (piece: Piece) => (Buffer.isBuffer(piece) ? piece.length : piece.size);

/** A body made of pieces. Its length is known, because the lengths of its pieces are. */
export const streamed = (pieces: readonly Piece[]): StreamedBody => ({
  length: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0),
  open: () => Readable.from(contentOf(pieces), { objectMode: false }),
});

async function* contentOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* await piece.open();
  }
}

/** Bytes of a line of base64 (RFC 2045: at most 76 characters). */
const LINE = 57;
const BREAK = '\r\n';

/** A file in base64, in lines as mails have them. */
export const base64Of = (file: StoredFile): Piece => ({
  size: Math.ceil(file.size / 3) * 4 + Math.max(0, Math.ceil(file.size / LINE) - 1) * BREAK.length,
  open: async () => base64Lines(await file.open()),
});

async function* base64Lines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  const encoded = (bytes: Buffer) => {
    const lines = bytes.toString('base64').match(/.{1,76}/g) ?? [];
    const text = (isFirst ? '' : BREAK) + lines.join(BREAK);
    isFirst = false;
    return Buffer.from(text, 'latin1');
  };
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % LINE);
    if (whole > 0) yield encoded(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield encoded(rest);
}

/** A field of a form with files. */
export type FormPart = { name: string; value: unknown } | { name: string; file: StoredFile; filename?: string };

/** A name inside a header of a part, as browsers write it (HTML standard, multipart/form-data). */
const quoted = (name: string) =>
  `"${name.replace(/["\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)}"`;

/** A form with files, and its Content-Type. A field without a value is left out. */
export function multipart(parts: readonly FormPart[]): { body: StreamedBody; type: string } {
  const boundary = `----weft${randomBytes(18).toString('hex')}`;
  const pieces = parts.flatMap((part): Piece[] => {
    const start = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(part.name)}`;
    if ('file' in part) {
      const { file, filename = file.name } = part;
      const facts = `; filename=${quoted(filename)}\r\nContent-Type: ${file.contentType}`;
      return [Buffer.from(`${start}${facts}\r\n\r\n`), file, Buffer.from(BREAK)];
    }
    if (part.value === null || part.value === undefined) return [];
    return [Buffer.from(`${start}\r\n\r\n${asField(part.value)}${BREAK}`)];
  });
  return {
    body: streamed([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
