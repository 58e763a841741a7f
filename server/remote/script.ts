import { NodeFailure } from '@/server/errors/node-failure';

/** What a command needs besides its text. */
export interface Surroundings {
  /** Values by the names of variables. */
  parameters: Record<string, string>;
  /** Where it runs; undefined: in the home folder of the account. */
  directory: string | undefined;
}

/** Names of shell variables. */
export const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** A shell takes no argument above 128 KiB (Linux). */
export const MAX_COMMAND_BYTES = 120_000;
/** Bytes that mean the same to every shell between single quotes. A dash at the beginning would begin an option of printf. */
const PLAIN = /^[A-Za-z0-9 ,./:=@_+]$/;

const wrong = (field: string, message: string) => new NodeFailure('CONFIG', `config.${field}: ${message}`, false);

/**
 * A value as the argument of printf: other bytes are octal escapes. So no byte of it means anything to the shell of the account,
 * of any kind.
 */
function encoded(value: string): string {
  return [...Buffer.from(value, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return PLAIN.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}

/** Assigns a value to a variable. The shell drops line breaks at the end of what a command prints, hence the point. */
const assignment = (name: string, value: string): string =>
  `${name}=$(printf '${encoded(value)}.'); ${name}=\${${name}%.}`;

/** A folder that `cd` takes as a path: not as an option, nor as one of the folders of CDPATH. */
const asPath = (directory: string): string => (directory.startsWith('/') ? directory : `./${directory}`);

/**
 * The command with its values before it, as shell variables: a value never becomes a part of the program, wherever the command names it. For
 * POSIX shells. Throws NodeFailure CONFIG.
 */
export function scriptOf(command: string, { parameters, directory }: Surroundings): string {
  const lines = Object.entries(parameters).map(([name, value]) => {
    if (!VARIABLE.test(name)) throw wrong(`parameters.${name}`, 'must be a name of letters, digits and _');
    if (value.includes('\0')) throw wrong(`parameters.${name}`, 'must not contain NUL');
    return assignment(name, value);
  });
  if (directory?.includes('\0')) throw wrong('directory', 'must not contain NUL');
  const change =
    directory === undefined || directory === ''
      ? []
      : [assignment('weft_directory', asPath(directory)), 'cd "$weft_directory" || exit'];
  const script = [...change, ...lines, command].join('\n');
  if (Buffer.byteLength(script) > MAX_COMMAND_BYTES)
    throw wrong('parameters', 'are too long for a command: send large values as stdin');
  return script;
}
