import { MAX_FILE_BYTES, type FileValue } from '@/contract/file-value';
import { newId } from '@/server/db/ids';
import { workspaceShare } from './disk-shares';
import { contentTypeOf, fileNameOf } from './names';
import { beginFile, discardFiles, finishFile, requireRoom, valueOf, type StoredFile } from './rows';
import { spool, type Spool } from './spool';
import { fileStorage } from './storage';

/** The facts about a new file besides its content. They come from a sender, and are made safe here. */
export interface NewFile {
  workspaceId: string;
  /** Default: `file`. */
  name?: string;
  /** Default: application/octet-stream. */
  contentType?: string;
  /** The person who uploads it. */
  createdBy?: string | null;
}

/**
 * Stores a temporary file. The value may be stored as soon as this resolves: the bytes are durable. The temporary file may be gone afterwards.
 * Throws FORBIDDEN if the workspace's quota is used up.
 */
export async function storeSpool(content: Spool, file: NewFile): Promise<StoredFile> {
  const { workspaceId, createdBy = null } = file;
  const { size, sha256 } = content;
  const row = {
    id: newId('file'),
    workspaceId,
    name: fileNameOf(file.name),
    contentType: contentTypeOf(file.contentType),
    size,
    sha256,
  };
  const createdAt = await beginFile(row, createdBy);
  try {
    await fileStorage().put(row.id, content);
    await finishFile(row.id);
  } catch (error) {
    await discardFiles(workspaceId, [row.id]);
    throw error;
  }
  return { ...row, createdAt };
}

/**
 * Stores a stream as a file of a workspace, and returns the value that names it. Unless a value that is stored names it, it is removed after
 * 24 hours. Throws a Problem: VALIDATION_ERROR beyond `limit` bytes (default: 100 MiB), FORBIDDEN if the quota is used up, RATE_LIMITED.
 */
export async function storeUpload(
  source: AsyncIterable<Uint8Array>,
  { limit = MAX_FILE_BYTES, ...file }: NewFile & { limit?: number },
): Promise<FileValue> {
  await requireRoom(file.workspaceId, 0);
  const content = await spool(source, { limit, shares: [workspaceShare(file.workspaceId)] });
  try {
    return valueOf(await storeSpool(content, file));
  } finally {
    await content.remove();
  }
}
