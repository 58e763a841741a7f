import { isFileValue, type FileValue } from '@/contract/file-value';
import { isDatabaseUnavailable } from '@/server/platform/db/failures/verdict';
import { DatabaseFailure } from '@/server/platform/errors/database-failure';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { ApiProblem } from '@/server/platform/errors/problem';
import { findStoredFile, toFileValue } from '@/server/data/files/rows';
import { storeUpload } from '@/server/data/files/store';
import { openFileStorage } from '@/server/data/files/storage';
import type { WorkspaceFileAccess, OpenableFile } from '@/server/workflow/nodes/node-type';

const FILE_FAILURE_CODES: Partial<Record<ApiProblem['code'], string>> = {
  VALIDATION_ERROR: 'TOO_LARGE',
  FORBIDDEN: 'FILE_QUOTA',
};

const fileNotFound = (name: string) => new NodeFailure('FILE_NOT_FOUND', `The workspace has no file ${name}.`, false);

/** Failures of the storage may pass; refusals are final, except for too many uploads at a time. */
function toFileFailure(error: unknown): Error {
  if (error instanceof NodeFailure) return error;
  if (isDatabaseUnavailable(error)) return new DatabaseFailure(error);
  if (!(error instanceof ApiProblem))
    return new NodeFailure('FILE_STORAGE', `The file storage failed: ${String(error)}`);
  const code = FILE_FAILURE_CODES[error.code];
  return new NodeFailure(code ?? 'FILE_STORAGE', error.message, code === undefined);
}

async function findNodeFile(workspaceId: string, value: unknown): Promise<OpenableFile> {
  if (!isFileValue(value)) throw new NodeFailure('CONFIG', 'A file is expected: the value that names one.', false);
  // Only the id is used: the author of the value may have changed the other fields.
  const file = await findStoredFile(workspaceId, value.$file);
  if (!file) throw fileNotFound(value.$file.slice(0, 100));
  return {
    ...toFileValue(file),
    async open() {
      const content = await openFileStorage()
        .read(file.id)
        .catch((error: unknown) => {
          throw toFileFailure(error);
        });
      if (!content) throw fileNotFound(file.id);
      return content;
    },
  };
}

/** The files that nodes of a workspace may use. */
export const createNodeFileAccess = (workspaceId: string): WorkspaceFileAccess => ({
  find: (value) => findNodeFile(workspaceId, value),
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
      throw error === failure ? error : toFileFailure(error);
    }
  },
});
