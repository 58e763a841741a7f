import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { generateId } from '@/server/platform/db/ids';
import { workspaceDiskShare } from './disk-shares';
import { sanitizeContentType, sanitizeFileName } from './names';
import {
  insertPendingFile,
  discardFiles,
  markFileStored,
  requireFileQuota,
  toFileValue,
  type StoredFileRow,
} from './rows';
import { spoolToDisk, type SpooledFile } from './spool';
import { openFileStorage } from './storage';

/** The facts about a new file besides its content. They come from a sender, and are made safe here. */
export interface NewFileProperties {
  workspaceId: string;
  /** Default: `file`. */
  name?: string;
  /** Default: application/octet-stream. */
  contentType?: string;
  /** The person who uploads it. */
  createdBy?: string | null;
}

/**
 * Stores a temporary file. The value may be stored as soon as this resolves: the bytes are durable. The temporary file
 * may be gone afterwards. Throws FORBIDDEN if the workspace's quota is used up.
 */
export async function storeSpooledFile(content: SpooledFile, file: NewFileProperties): Promise<StoredFileRow> {
  const { workspaceId, createdBy = null } = file;
  const { size, sha256 } = content;
  const row = {
    id: generateId('file'),
    workspaceId,
    name: sanitizeFileName(file.name),
    contentType: sanitizeContentType(file.contentType),
    size,
    sha256,
  };
  const createdAt = await insertPendingFile(row, createdBy);
  try {
    await openFileStorage().put(row.id, content);
    await markFileStored(row.id);
  } catch (error) {
    await discardFiles(workspaceId, [row.id]);
    throw error;
  }
  return { ...row, createdAt };
}

/**
 * Stores a stream as a file of a workspace, and returns the value that names it. Unless a value that is stored names
 * it, it is removed after 24 hours. Throws a Problem: VALIDATION_ERROR beyond `limit` bytes (default: 100 MiB),
 * FORBIDDEN if the quota is used up, RATE_LIMITED.
 */
export async function storeUpload(
  source: AsyncIterable<Uint8Array>,
  { limit = MAX_FILE_BYTES, ...file }: NewFileProperties & { limit?: number },
): Promise<FileValue> {
  await requireFileQuota(file.workspaceId, 0);
  const content = await spoolToDisk(source, { limit, shares: [workspaceDiskShare(file.workspaceId)] });
  try {
    return toFileValue(await storeSpooledFile(content, file));
  } finally {
    await content.remove();
  }
}
