import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a file, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file in the temporary place. */
export interface TemporaryFile {
  path: string;
  size: number;
  sha256: string;
}

/** Where the bytes of files are. Keys are ids of files. */
export interface FileStorage {
  /** Stores a temporary file durably, under its key or not at all. The temporary file may be gone afterwards. */
  put(key: string, content: TemporaryFile): Promise<void>;
  /** Null: there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Also succeeds if there is no such file. */
  remove(key: string): Promise<void>;
}
