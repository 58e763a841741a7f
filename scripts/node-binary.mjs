import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { npm } from './clients.mjs';
import { CommandFailed, run } from './step.mjs';

/**
 * The program of another version of Node.js, from the npm registry.
 *
 * @param {string} version such as 26 or 26.1.0
 * @param {string} folder an empty one, where it is put
 * @returns {Promise<string>} its path
 */
export async function fetchNode(version, folder) {
  const name = `node-${process.platform}-${process.arch}@${version}`;
  const [command, ...before] = npm();
  const { stdout, stderr, status } = spawnSync(command, [...before, 'pack', '--json', name], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new CommandFailed(`There is no ${name}`, stderr);
  await run('tar', ['-xzf', path.join(folder, JSON.parse(stdout)[0].filename), '-C', folder]);
  return path.join(folder, 'package/bin/node');
}
