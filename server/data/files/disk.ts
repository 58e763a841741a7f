import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findDiskReason, isDiskFullError } from './disk-problem';
import { getRuntime } from '@/server/platform/runtime';

/** The folder of files that are being received, in every process, wherever they are stored. */
export const temporaryFilesFolder = (dataDir = getRuntime().env.dataDir): string =>
  path.resolve(dataDir, 'files', 'temporary');

/** These are enough bytes that a full disk refuses them. */
const WRITE_TEST_BYTES = Buffer.alloc(16 * 1024);

/**
 * Why a folder takes no files now, with the code of the system; undefined: it takes them. The folder is made if it does
 * not exist.
 */
export async function findFolderFault(
  folder: string,
  mode = 0o700,
): Promise<{ reason: string; isFull: boolean } | undefined> {
  const place = path.join(folder, `writable-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode });
    await writeFile(place, WRITE_TEST_BYTES, { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (error) {
    return { reason: findDiskReason(error) ?? String(error), isFull: isDiskFullError(error) };
  } finally {
    await rm(place, { force: true }).catch(() => undefined);
  }
}

/** Bytes that may still be written below a folder, and its size; undefined where the system does not tell. */
export async function readFreeSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}
