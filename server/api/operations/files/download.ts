import type { CallHeaders } from '@/server/platform/messages/client-address';
import { ApiProblem } from '@/server/platform/errors/problem';
import { attachmentDisposition } from '@/server/platform/messages/content-disposition';
import type { StoredFileRow } from '@/server/data/files/rows';
import type { ByteRange } from '@/server/data/files/file-storage';

/** Media types that no browser runs, or renders as a page of this origin. */
const INERT_MEDIA_TYPES =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/(plain|csv|markdown)|application\/(json|pdf|zip|gzip))(;|$)/;

/** The headers of every download. Uploaded content never becomes a page, script or style of this origin. */
export const downloadHeaders = ({ name, contentType, sha256 }: StoredFileRow) => ({
  'Content-Type': INERT_MEDIA_TYPES.test(contentType) ? contentType : 'application/octet-stream',
  'Content-Disposition': attachmentDisposition(name),
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Accept-Ranges': 'bytes',
  ETag: `"${sha256}"`,
});

const rangeNotSatisfiable = (size: number) =>
  new ApiProblem(
    'VALIDATION_ERROR',
    'The range is not inside the file.',
    [{ field: 'Range', message: 'is not inside' }],
    {
      status: 416,
      headers: { 'Content-Range': `bytes */${size}` },
    },
  );

/**
 * The range that is asked for (RFC 9110); undefined: the whole file, also for several ranges and units other than
 * bytes. Throws 416 for a range outside the file.
 */
export function requestedByteRange(headers: CallHeaders, { size }: StoredFileRow, etag: string): ByteRange | undefined {
  const header = headers.get('range');
  const condition = headers.get('if-range');
  if (header === null || (condition !== null && condition !== etag)) return undefined;
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replaceAll(' ', '')) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  if (start >= size || (from === '' && Number(to) === 0)) throw rangeNotSatisfiable(size);
  return { start, end };
}
