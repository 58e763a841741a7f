import { spawnSync } from 'node:child_process';
import { aptInstall, hasApt } from './apt.mjs';
import { CommandFailed, step } from './step.mjs';

/** Sees to it that there is a Redis for the tests of dispatch over it. */
export async function ensureRedis() {
  if (!spawnSync('redis-server', ['--version']).error) return;
  await step('Installing Redis', async () => {
    if (!hasApt()) throw new CommandFailed('The tests need redis-server in the path');
    await aptInstall('redis-server');
  });
}
