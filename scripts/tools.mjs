import { spawnSync } from 'node:child_process';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, step } from './step.mjs';

/**
 * Ensures that programs for tests are installed that are not npm packages.
 *
 * @param {Record<string, string>} packages the distribution's package of each program
 */
export async function ensureTools(packages) {
  // Servers are not in the path of every user.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  for (const [program, name] of Object.entries(packages)) {
    if (!spawnSync(program, ['--version'], { env }).error) continue;
    await step(`Installing ${name}`, async () => {
      if (!hasApt()) throw new CommandFailed(`The tests need ${program} in the path`);
      await aptInstall(name);
    });
  }
}
