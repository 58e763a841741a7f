/** The largest file, in bytes. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** A file in a value: inputs, outputs and results of runs carry it in place of the bytes. */
export interface FileValue {
  $file: string;
  name: string;
  contentType: string;
  size: number;
  sha256: string;
}

/** Whether a value names a file. It may name one that does not exist: the code that reads it looks it up. */
export const isFileValue = (value: unknown): value is FileValue =>
  typeof value === 'object' &&
  value !== null &&
  '$file' in value &&
  typeof value.$file === 'string' &&
  value.$file.startsWith('file_');
