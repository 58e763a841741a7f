// `npm run lock:complete`, after adding a package. A registry may lack a package of some other platform; npm then
// leaves it out of the lock, and npm 11 refuses the lock as incomplete. Its entry needs no more than the version and
// the platform.
import './node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './step.mjs';

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];

/**
 * Optional dependencies of packages in a lock that the lock does not contain.
 *
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, optionalDependencies?: Record<string, string> }}
 *   Entry
 * @param {Record<string, Entry>} packages
 */
export const gaps = (packages) =>
  Object.entries(packages).flatMap(([place, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => place && !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`])
      .map(([name, version]) => ({ name, version, dev })),
  );

/** @param {{ name: string, version: string, dev?: boolean }} gap */
function entryOf({ name, version, dev }) {
  const words = (name.split('/').at(-1) ?? '').split('-');
  const system = words.findIndex((word) => SYSTEMS.includes(word));
  const [os, cpu, abi = ''] = system < 0 ? [] : words.slice(system);
  if (!os || !cpu || !/^\d/.test(version))
    throw new Error(`${name}@${version} names no platform: is it in the registry?`);
  const libc = abi.startsWith('musl') ? ['musl'] : abi.startsWith('gnu') && os === 'linux' ? ['glibc'] : undefined;
  return { version, cpu: [cpu], ...(dev && { dev }), ...(libc && { libc }), optional: true, os: [os] };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = path.join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = gaps(lock.packages);
  for (const gap of missing) lock.packages[`node_modules/${gap.name}`] = entryOf(gap);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${missing.length} entries added\n`);
}
