import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import { Problem } from '@/server/errors/problem';
import { DiskShares, type Share } from './disk-shares';
import type { Content } from './file-storage';
import { temporaryFolder } from './disk';
import { diskProblem } from './disk-problem';

/** Temporary files of a process that died are older than any upload takes. */
const ABANDONED_MS = 6 * 3_600_000;

const shares = new DiskShares();

/** Content in a temporary file, with its hash. `remove` must be called when it is no longer needed. */
export interface Spool extends Content {
  stream(): Readable;
  remove(): Promise<void>;
}

export interface SpoolOptions {
  /** More bytes are refused. */
  limit: number;
  /** Whose share of the temporary place is used. */
  shares: readonly Share[];
  /** Sees every part on the way, for example to compute a signature. */
  onChunk?: (chunk: Uint8Array) => void;
}

/** The limit of a body has room for what is around a file: the limit of the file is said. */
export const refuseSize = (limit: number): Problem =>
  new Problem(
    'VALIDATION_ERROR',
    limit > MAX_FILE_BYTES
      ? `The body is larger than one file may be: ${MAX_FILE_BYTES} bytes.`
      : `The file is larger than ${limit} bytes.`,
  );

/**
 * Writes content to a temporary file and computes its hash on the way. Only one part is in memory at a time. Throws a Problem: VALIDATION_ERROR
 * beyond the limit, RATE_LIMITED if too many bytes of this sender are in the temporary place, 503 if the disk takes no more.
 */
export async function spool(
  source: AsyncIterable<Uint8Array>,
  { limit, shares: taken, onChunk }: SpoolOptions,
): Promise<Spool> {
  const place = path.join(temporaryFolder(), randomUUID());
  const handle = await openTemporary(place);
  const hash = createHash('sha256');
  const use = shares.open(taken);
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limit) throw refuseSize(limit);
      use.add(chunk.length);
      hash.update(chunk);
      onChunk?.(chunk);
      await writeAll(handle, chunk);
    }
    await handle.close();
  } catch (error) {
    // Where the first one failed, the content is not complete either.
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

async function openTemporary(place: string): Promise<FileHandle> {
  try {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    return await open(place, 'wx', 0o600);
  } catch (error) {
    throw diskProblem(error);
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let written = 0; written < chunk.length;) written += (await handle.write(chunk, written)).bytesWritten;
  } catch (error) {
    throw diskProblem(error);
  }
}

/** Removes temporary files that a process left behind. */
export async function removeAbandoned(now = Date.now()): Promise<void> {
  for (const name of await readdir(temporaryFolder()).catch(() => [])) {
    const place = path.join(temporaryFolder(), name);
    const found = await stat(place).catch(() => null);
    if (found && found.mtimeMs < now - ABANDONED_MS) await rm(place, { force: true });
  }
}
