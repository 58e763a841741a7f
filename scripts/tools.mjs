import { spawnSync } from 'node:child_process';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, step } from './step.mjs';

/**
 * Ensures that programs for tests are installed that are not npm packages, from the distribution's packages of the same
 * names.
 *
 * @param {string[]} names
 */
export async function ensureTools(names) {
  for (const name of names) {
    if (!spawnSync(name, ['--version']).error) continue;
    await step(`Installing ${name}`, async () => {
      if (!hasApt()) throw new CommandFailed(`The tests need ${name} in the path`);
      await aptInstall(name);
    });
  }
}
