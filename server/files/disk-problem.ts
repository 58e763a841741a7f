import { Problem } from '@/server/errors/problem';

/** Why a folder takes no files, by the code of the system. */
const REASONS: Partial<Record<string, string>> = {
  ENOSPC: 'it is full',
  EDQUOT: 'its quota is used up',
  EROFS: 'it is read-only',
  EACCES: 'the service may not write there',
  EPERM: 'the service may not write there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EIO: 'its disk fails',
};

const codeOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : '';

/** Why a folder takes no files, by the error of a try; undefined: the error says nothing about the folder. */
export const diskReason = (error: unknown): string | undefined => REASONS[codeOf(error)];

/** Whether there is no room: that stops nothing but what is to be written there. The other reasons are faults of the installation. */
export const isDiskFull = (error: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(codeOf(error));

const RETRY_AFTER = '60';

const unavailable = (message: string, cause: unknown) =>
  new Problem('INTERNAL_ERROR', message, [], { cause, status: 503, headers: { 'Retry-After': RETRY_AFTER } });

/** A failure to write into the folder of the files as a caller may read it; any other error as it is. */
export function diskProblem(error: unknown): unknown {
  const reason = diskReason(error);
  if (reason === undefined) return error;
  return unavailable(`The folder of files takes no files now: ${reason}. Try again later.`, error);
}

/** A storage that is not reached, or fails, as a caller may read it. */
export const storageProblem = (cause: unknown): Problem =>
  unavailable('The storage of files is not available now. Try again later.', cause);
