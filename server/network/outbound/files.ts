import type { Readable } from 'node:stream';
import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { dispositionFileName } from '@/server/platform/messages/content-disposition';
import type { BodySink } from './outbound';
import type { ResponseHeaders } from './response-headers';

/** A stored file with its content. */
export interface OpenableFile extends FileValue {
  /** The content from its beginning, each time. Throws NodeFailure FILE_NOT_FOUND or FILE_STORAGE. */
  open(): Promise<Readable>;
}

/** The files of one workspace. */
export interface WorkspaceFileAccess {
  /** The file that a value names. Throws NodeFailure FILE_NOT_FOUND. */
  find(value: unknown): Promise<OpenableFile>;
  /** Stores a stream, and returns the value that names it. Throws NodeFailure TOO_LARGE, FILE_QUOTA or FILE_STORAGE. */
  store(content: AsyncIterable<Uint8Array>, about: { name?: string; contentType?: string }): Promise<FileValue>;
}

/** The name of a downloaded file: as the server says, else the last part of the address. */
function downloadFileName(headers: ResponseHeaders, url: string): string | undefined {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return dispositionFileName(headers['content-disposition']) ?? last;
}

/**
 * Stores the body of a response as a file, if its status is accepted. `name`, `contentType`: in place of what the
 * server says.
 */
export const createFileSink = (
  files: WorkspaceFileAccess,
  accepts: (status: number) => boolean,
  { name, contentType }: { name?: string; contentType?: string } = {},
): BodySink => ({
  maxBytes: MAX_FILE_BYTES,
  accepts,
  receive: ({ headers, url }, body) =>
    files.store(body, {
      name: name ?? downloadFileName(headers, url),
      contentType: contentType ?? headers['content-type'],
    }),
});
