import { ApiProblem } from '@/server/platform/errors/problem';

/** Why a folder takes no files, by the code of the system. */
const DISK_REASONS: Partial<Record<string, string>> = {
  ENOSPC: 'it is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'it is read-only',
  EACCES: 'the service may not write there',
  EPERM: 'the service may not write there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EIO: 'its disk fails',
};

const systemErrorCode = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';

/** Why a folder takes no files, by the error of a try; undefined: the error says nothing about the folder. */
export const findDiskReason = (error: unknown): string | undefined => DISK_REASONS[systemErrorCode(error)];

/**
 * Whether there is no room: that stops nothing but what is to be written there. The other reasons are faults of the
 * installation.
 */
export const isDiskFullError = (error: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(systemErrorCode(error));

const STORAGE_RETRY_SECONDS = '60';

const storageUnavailableProblem = (message: string, cause: unknown) =>
  new ApiProblem('INTERNAL_ERROR', message, [], {
    cause,
    status: 503,
    headers: { 'Retry-After': STORAGE_RETRY_SECONDS },
  });

/** A failure to write into the folder of the files as a caller may read it; any other error as it is. */
export function toDiskProblem(error: unknown): unknown {
  const reason = findDiskReason(error);
  if (reason === undefined) return error;
  return storageUnavailableProblem(`The folder of files takes no files now: ${reason}. Try again later.`, error);
}

/** A storage that is not reached, or fails, as a caller may read it. */
export const toStorageProblem = (cause: unknown): ApiProblem =>
  storageUnavailableProblem('The storage of files is not available now. Try again later.', cause);
