import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { formFieldText } from './content';
import type { OpenableFile } from './files';
import type { StreamedBody } from './outbound';

/** A part of a body: bytes, or content of a known length that is read when it is sent. */
export type StreamPiece = Buffer | { size: number; open(): Promise<AsyncIterable<Uint8Array>> };

const pieceSize = (piece: StreamPiece) => (Buffer.isBuffer(piece) ? piece.length : piece.size);

/** A body made of pieces. Its length is known, because the lengths of its pieces are. */
export const streamPieces = (pieces: readonly StreamPiece[]): StreamedBody => ({
  length: pieces.reduce((sum, piece) => sum + pieceSize(piece), 0),
  open: () => Readable.from(readPieces(pieces), { objectMode: false }),
});

async function* readPieces(pieces: readonly StreamPiece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* await piece.open();
  }
}

/** Bytes of a line of base64 (RFC 2045: at most 76 characters). */
const BASE64_LINE_BYTES = 57;
const CRLF = '\r\n';

/** A file in base64, in lines as mails have them. */
export const base64FilePiece = (file: OpenableFile): StreamPiece => ({
  size: Math.ceil(file.size / 3) * 4 + Math.max(0, Math.ceil(file.size / BASE64_LINE_BYTES) - 1) * CRLF.length,
  open: async () => base64Lines(await file.open()),
});

async function* base64Lines(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  const encoded = (bytes: Buffer) => {
    const lines = bytes.toString('base64').match(/.{1,76}/g) ?? [];
    const text = (isFirst ? '' : CRLF) + lines.join(CRLF);
    isFirst = false;
    return Buffer.from(text, 'latin1');
  };
  for await (const chunk of content) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % BASE64_LINE_BYTES);
    if (whole > 0) yield encoded(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield encoded(rest);
}

/** A field of a form with files. */
export type MultipartField = { name: string; value: unknown } | { name: string; file: OpenableFile; filename?: string };

/** A name inside a header of a part, as browsers write it (HTML standard, multipart/form-data). */
const quoteHeaderName = (name: string) =>
  `"${name.replace(/["\r\n]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)}"`;

/** A form with files, and its Content-Type. A field without a value is left out. */
export function encodeMultipart(parts: readonly MultipartField[]): { body: StreamedBody; type: string } {
  const boundary = `----weft${randomBytes(18).toString('hex')}`;
  const pieces = parts.flatMap((part): StreamPiece[] => {
    const start = `--${boundary}\r\nContent-Disposition: form-data; name=${quoteHeaderName(part.name)}`;
    if ('file' in part) {
      const { file, filename = file.name } = part;
      const facts = `; filename=${quoteHeaderName(filename)}\r\nContent-Type: ${file.contentType}`;
      return [Buffer.from(`${start}${facts}\r\n\r\n`), file, Buffer.from(CRLF)];
    }
    if (part.value === null || part.value === undefined) return [];
    return [Buffer.from(`${start}\r\n\r\n${formFieldText(part.value)}${CRLF}`)];
  });
  return {
    body: streamPieces([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
