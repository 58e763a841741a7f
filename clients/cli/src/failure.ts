import { WeftConnectionError, WeftError } from '@weft/client';

/** Exit codes. `failed` also says that files differ and that the service refused something. */
export const EXIT = { ok: 0, failed: 1, usage: 2, signedOut: 3, network: 4 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message and an exit code. */
export class Failure extends Error {
  override name = 'Failure';

  constructor(
    message: string,
    readonly exit: Exit = EXIT.failed,
  ) {
    super(message);
  }
}

/** The exit code for an answer by its status. */
export function exitFor(status: number): Exit {
  if (status === 401) return EXIT.signedOut;
  if (status >= 500) return EXIT.network;
  return status >= 400 ? EXIT.failed : EXIT.ok;
}

/** What is printed for an error, and the exit code. `advice`: for one who is not signed in. */
export function explain(error: unknown, advice?: string): { message: string; exit: Exit } {
  if (error instanceof Failure) return { message: error.message, exit: error.exit };
  if (error instanceof WeftConnectionError) {
    const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined;
    const reason = cause instanceof Error && cause.message ? ` (${cause.message})` : '';
    return { message: error.message + reason, exit: EXIT.network };
  }
  if (error instanceof WeftError) {
    const lines = [error.message, ...error.details.map(({ field, message }) => `  ${field}: ${message}`)];
    if (error.status >= 500 && error.requestId) lines.push(`  request ${error.requestId}`);
    if (error.status === 401 && advice !== undefined) lines.push(advice);
    return { message: lines.join('\n'), exit: exitFor(error.status) };
  }
  const file = unreadable(error);
  if (file !== undefined) return { message: file, exit: EXIT.usage };
  return { message: error instanceof Error ? error.message : String(error), exit: EXIT.failed };
}

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder; name a file',
  EACCES: 'may not be read or written by you',
};

/** The message for a file that the user named and that can not be used; undefined: another error. */
function unreadable(error: unknown): string | undefined {
  const { code = '', path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const reason = REASONS[code];
  if (reason === undefined) return undefined;
  return `${path ?? 'The file'} ${reason}.`;
}
