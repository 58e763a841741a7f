import { WeftConnectionError, WeftError } from '@weft/client';

/** Exit codes. `failed` also says that files differ and that the service refused something. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2, signedOut: 3, network: 4 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** Ends the command with a message and an exit code. */
export class CommandFailure extends Error {
  override name = 'Failure';

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT_CODES.failed,
  ) {
    super(message);
  }
}

/** The exit code for a response with this status. */
export function exitCodeForStatus(status: number): ExitCode {
  if (status === 401) return EXIT_CODES.signedOut;
  if (status >= 500) return EXIT_CODES.network;
  return status >= 400 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

/** The message for an error, and the exit code. `advice` is added if the user is not signed in. */
export function explainError(error: unknown, advice?: string): { message: string; exit: ExitCode } {
  if (error instanceof CommandFailure) return { message: error.message, exit: error.exitCode };
  if (error instanceof WeftConnectionError) {
    const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
    const reason = cause instanceof Error && cause.message ? ` (${cause.message})` : '';
    return { message: error.message + reason, exit: EXIT_CODES.network };
  }
  if (error instanceof WeftError) {
    const lines = [error.message, ...error.details.map(({ field, message }) => `  ${field}: ${message}`)];
    if (error.status >= 500 && error.requestId) lines.push(`  request ${error.requestId}`);
    if (error.status === 401 && advice !== undefined) lines.push(advice);
    return { message: lines.join('\n'), exit: exitCodeForStatus(error.status) };
  }
  const file = fileErrorMessage(error);
  if (file !== undefined) return { message: file, exit: EXIT_CODES.usage };
  return { message: error instanceof Error ? error.message : String(error), exit: EXIT_CODES.failed };
}

const FILE_ERROR_REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder; name a file',
  EACCES: 'may not be read or written by you',
};

/** The message for a file that the user named and that can not be used; undefined: another error. */
function fileErrorMessage(error: unknown): string | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const reason = FILE_ERROR_REASONS[code];
  if (reason === undefined) return undefined;
  return `${path ?? 'The file'} ${reason}.`;
}
