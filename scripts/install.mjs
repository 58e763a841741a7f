import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { root, run, step } from './step.mjs';

/** Installs the packages of package-lock.json, unless they are already installed. */
export async function install() {
  if (isInstalled()) return;
  await step('Installing dependencies', () => {
    // The npm that started this process, otherwise the one in the path.
    const npm = process.env.npm_execpath;
    const [command, ...before] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
    return run(command, [...before, 'ci', ...OPTIONS], {
      NODE_ENV: undefined,
      ...(hasHome() ? {} : { npm_config_cache: path.join(tmpdir(), `weft-npm-${process.getuid?.() ?? 0}`) }),
    });
  });
}

/** Overrides the npm settings of the user. No package needs its install script. */
const OPTIONS = [
  '--include=dev',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-engine-strict',
  '--no-legacy-peer-deps',
  '--no-strict-peer-deps',
  '--no-global',
  '--no-dry-run',
  '--package-lock',
];

/** npm's list of the packages in node_modules, which is written at the end of an installation. */
function isInstalled() {
  const installedFile = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const installed = packagesOf(installedFile);
  return Object.entries(wanted).every(([place, { version, integrity, optional }]) => {
    const found = installed[place];
    if (place === '' || (!found && optional)) return true;
    return found?.version === version && (!integrity || found?.integrity === integrity);
  });
}

/** @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>} */
const packagesOf = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Some users, such as `nobody`, have no home directory for npm's cache. */
function hasHome() {
  try {
    accessSync(homedir(), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
