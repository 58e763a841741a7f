import path from 'node:path';
import { BYTES_PER_MIB } from '@/contract/units';

/** Built from evaluator/main.ts, beside the server's bundle. */
const EVALUATOR_BUNDLE = 'dist/evaluator.mjs';

/**
 * The program reads itself, its libraries, and the CPU time of its thread. It may not read /proc as a whole, which
 * leads to all files.
 */
const READABLE_PATHS = ['dist/*', 'node_modules/*', 'package.json', '/proc/thread-self/schedstat'];

/**
 * Flags that close what the permission model leaves open, in versions of Node.js that have them: SQLite opens files by
 * itself, native libraries run outside the model.
 */
const HARDENING_FLAGS = [
  '--no-addons',
  '--no-experimental-sqlite',
  '--no-experimental-webstorage',
  '--no-experimental-ffi',
];

/**
 * Newer versions of Node.js take the socket to the service for the network. The program gives the permission up as soon
 * as it has that socket (evaluator/lockdown.ts).
 */
const SOCKET_FLAGS = ['--allow-net'];

/**
 * The arguments of an evaluator process. Defence in depth behind the sandboxes: Node's permission model lets the
 * process read what is named here and nothing else: no other files, no child processes, no threads, no native code.
 * evaluator/lockdown.ts closes the rest. `isKnown`: whether the version of Node.js has a flag.
 */
export function evaluatorArguments(heapBytes: number, isKnown: (flag: string) => boolean): string[] {
  const options = [`--max-old-space-size=${Math.ceil(heapBytes / BYTES_PER_MIB)}`, '--expose-gc', '--no-warnings'];
  const permission = ['--permission', '--experimental-permission'].find(isKnown);
  if (permission) {
    const places = READABLE_PATHS.map((place) => `--allow-fs-read=${path.resolve(place)}`);
    options.push(permission, ...places, ...[...SOCKET_FLAGS, ...HARDENING_FLAGS].filter(isKnown));
  }
  return [...options, path.resolve(EVALUATOR_BUNDLE)];
}
