import { isFileValue, type FileValue } from '@/contract/file-value';
import { isDatabaseAway } from '@/server/db/failures/verdict';
import { DatabaseFailure } from '@/server/errors/database-failure';
import { NodeFailure } from '@/server/errors/node-failure';
import { Problem } from '@/server/errors/problem';
import { findFile, valueOf } from '@/server/files/rows';
import { storeUpload } from '@/server/files/store';
import { fileStorage } from '@/server/files/storage';
import type { FileAccess, StoredFile } from '@/server/nodes/node';

const CODES: Partial<Record<Problem['code'], string>> = { VALIDATION_ERROR: 'TOO_LARGE', FORBIDDEN: 'FILE_QUOTA' };

const notFound = (name: string) => new NodeFailure('FILE_NOT_FOUND', `The workspace has no file ${name}.`, false);

/** Failures of the storage may pass; refusals are final, except for too many uploads at a time. */
function failureOf(error: unknown): Error {
  if (error instanceof NodeFailure) return error;
  if (isDatabaseAway(error)) return new DatabaseFailure(error);
  if (!(error instanceof Problem)) return new NodeFailure('FILE_STORAGE', `The file storage failed: ${String(error)}`);
  const code = CODES[error.code];
  return new NodeFailure(code ?? 'FILE_STORAGE', error.message, code === undefined);
}

async function find(workspaceId: string, value: unknown): Promise<StoredFile> {
  if (!isFileValue(value)) throw new NodeFailure('CONFIG', 'A file is expected: the value that names one.', false);
  // Only the id counts: the author of the value may have changed the rest.
  const file = await findFile(workspaceId, value.$file);
  if (!file) throw notFound(value.$file.slice(0, 100));
  return {
    ...valueOf(file),
    async open() {
      const content = await fileStorage()
        .read(file.id)
        .catch((error: unknown) => {
          throw failureOf(error);
        });
      if (!content) throw notFound(file.id);
      return content;
    },
  };
}

/** The files that nodes of a workspace may use. */
export const nodeFiles = (workspaceId: string): FileAccess => ({
  find: (value) => find(workspaceId, value),
  async store(content, about): Promise<FileValue> {
    let failure: unknown;
    async function* watched() {
      try {
        yield* content;
      } catch (error) {
        failure = error;
        throw error;
      }
    }
    try {
      return await storeUpload(watched(), { workspaceId, ...about });
    } catch (error) {
      // A failure of the source is not one of the storage.
      throw error === failure ? error : failureOf(error);
    }
  },
});
