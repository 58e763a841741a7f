import { spawnSync } from 'node:child_process';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, step } from './step.mjs';

/** What the tests have as the other side, beside npm's packages: each in the distribution's package of its name. */
const TOOLS = ['redis-server', 'oathtool', 'curl', 'openssl'];

/** Sees to it that the tests have the programs that they play against. */
export async function ensureTools() {
  for (const name of TOOLS) {
    if (!spawnSync(name, ['--version']).error) continue;
    await step(`Installing ${name}`, async () => {
      if (!hasApt()) throw new CommandFailed(`The tests need ${name} in the path`);
      await aptInstall(name);
    });
  }
}
