import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from './step.mjs';

const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];

/** True on Debian and its derivatives, for users who may install packages. */
export const hasApt = () =>
  existsSync('/usr/bin/apt-get') && spawnSync(asRoot[0] ?? 'true', [...asRoot.slice(1), 'true']).status === 0;

/** @param {string} name a package of the distribution; its services are not started */
export async function aptInstall(name) {
  const apt = (/** @type {string[]} */ ...words) => {
    const settings = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
    const [command = '', ...args] = [...asRoot, ...settings, 'apt-get', ...words];
    return run(command, args);
  };
  await apt('update');
  await apt('install', '--yes', '--no-install-recommends', name);
}
