import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import { ApiProblem } from '@/server/platform/errors/problem';
import { DiskShares, type DiskShare } from './disk-shares';
import type { TemporaryFile } from './file-storage';
import { temporaryFilesFolder } from './disk';
import { toDiskProblem } from './disk-problem';

/** Temporary files of a process that died are older than any upload takes. */
const ABANDONED_FILE_AGE_MS = 6 * 3_600_000;

const processDiskShares = new DiskShares();

/** Content in a temporary file, with its hash. `remove` must be called when it is no longer needed. */
export interface SpooledFile extends TemporaryFile {
  stream(): Readable;
  remove(): Promise<void>;
}

export interface SpoolOptions {
  /** The maximum size in bytes. */
  limit: number;
  /** The shares of the temporary folder that the bytes count against. */
  shares: readonly DiskShare[];
  /** Is called with every chunk, for example to compute a signature. */
  onChunk?: (chunk: Uint8Array) => void;
}

/** The limit of a body has room for what is around a file: the limit of the file is said. */
export const bodyTooLargeProblem = (limit: number): ApiProblem =>
  new ApiProblem(
    'VALIDATION_ERROR',
    limit > MAX_FILE_BYTES
      ? `The body is larger than one file may be: ${MAX_FILE_BYTES} bytes.`
      : `The file is larger than ${limit} bytes.`,
  );

/**
 * Writes content to a temporary file and computes its hash on the way. Only one part is in memory at a time. Throws a
 * Problem: VALIDATION_ERROR beyond the limit, RATE_LIMITED if too many bytes of this sender are in the temporary place,
 * 503 if the disk takes no more.
 */
export async function spoolToDisk(
  source: AsyncIterable<Uint8Array>,
  { limit, shares: taken, onChunk }: SpoolOptions,
): Promise<SpooledFile> {
  const place = path.join(temporaryFilesFolder(), randomUUID());
  const handle = await openTemporaryFile(place);
  const hash = createHash('sha256');
  const use = processDiskShares.open(taken);
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limit) throw bodyTooLargeProblem(limit);
      use.add(chunk.length);
      hash.update(chunk);
      onChunk?.(chunk);
      await writeWholeChunk(handle, chunk);
    }
    await handle.close();
  } catch (error) {
    // The error that counts is the first one, so a failure to close is ignored.
    await handle.close().catch(() => undefined);
    use.end();
    await rm(place, { force: true });
    throw error;
  }
  return {
    path: place,
    size,
    sha256: hash.digest('hex'),
    stream: () => createReadStream(place),
    async remove() {
      use.end();
      await rm(place, { force: true });
    },
  };
}

async function openTemporaryFile(place: string): Promise<FileHandle> {
  try {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    return await open(place, 'wx', 0o600);
  } catch (error) {
    throw toDiskProblem(error);
  }
}

async function writeWholeChunk(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let written = 0; written < chunk.length;) written += (await handle.write(chunk, written)).bytesWritten;
  } catch (error) {
    throw toDiskProblem(error);
  }
}

/** Removes temporary files that a process left behind. */
export async function removeAbandonedFiles(now = Date.now()): Promise<void> {
  for (const name of await readdir(temporaryFilesFolder()).catch(() => [])) {
    const place = path.join(temporaryFilesFolder(), name);
    const found = await stat(place).catch(() => null);
    if (found && found.mtimeMs < now - ABANDONED_FILE_AGE_MS) await rm(place, { force: true });
  }
}
