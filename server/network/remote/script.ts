import { createConfigFailure } from '@/server/platform/errors/node-failure';

/** The variables and the folder that a command needs besides its text. */
export interface CommandEnvironment {
  /** Values by the names of variables. */
  parameters: Record<string, string>;
  /** The folder in which the script runs. Undefined means the home folder of the account. */
  directory: string | undefined;
}

/** Names of shell variables. */
export const SHELL_VARIABLE_PATTERN = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** A shell takes no argument above 128 KiB (Linux). */
export const MAX_COMMAND_BYTES = 120_000;
/**
 * Bytes that mean the same to every shell between single quotes. A dash at the beginning would begin an option of
 * printf.
 */
const PLAIN_SHELL_CHARACTER = /^[A-Za-z0-9 ,./:=@_+]$/;

/**
 * A value as the argument of printf: other bytes are octal escapes. So no byte of it means anything to the shell of the
 * account, of any kind.
 */
function escapeForPrintf(value: string): string {
  return [...Buffer.from(value, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return PLAIN_SHELL_CHARACTER.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}

/** Assigns a value to a variable. The shell drops line breaks at the end of what a command prints, hence the point. */
const assignShellVariable = (name: string, value: string): string =>
  `${name}=$(printf '${escapeForPrintf(value)}.'); ${name}=\${${name}%.}`;

/** A folder that `cd` takes as a path: not as an option, nor as one of the folders of CDPATH. */
const shellPath = (directory: string): string => (directory.startsWith('/') ? directory : `./${directory}`);

/**
 * The command with its values before it, as shell variables: a value never becomes a part of the program, wherever the
 * command names it. For POSIX shells. Throws NodeFailure CONFIG.
 */
export function buildCommandScript(command: string, { parameters, directory }: CommandEnvironment): string {
  const lines = Object.entries(parameters).map(([name, value]) => {
    if (!SHELL_VARIABLE_PATTERN.test(name))
      throw createConfigFailure(`parameters.${name}`, 'must be a name of letters, digits and _');
    if (value.includes('\0')) throw createConfigFailure(`parameters.${name}`, 'must not contain NUL');
    return assignShellVariable(name, value);
  });
  if (directory?.includes('\0')) throw createConfigFailure('directory', 'must not contain NUL');
  const change =
    directory === undefined || directory === ''
      ? []
      : [assignShellVariable('weft_directory', shellPath(directory)), 'cd "$weft_directory" || exit'];
  const script = [...change, ...lines, command].join('\n');
  if (Buffer.byteLength(script) > MAX_COMMAND_BYTES)
    throw createConfigFailure('parameters', 'are too long for a command: send large values as stdin');
  return script;
}
