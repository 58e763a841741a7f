// Preparation for `npm start`, in a separate process, so that its memory is released.
import { setTimeout as pause } from 'node:timers/promises';
import { lockDirectory } from '../server/platform/db/postgres/directory-lock.mjs';
import { build, buildEvaluator, generate } from './build.mjs';
import { install } from './install.mjs';
import { CommandFailed, root } from './step.mjs';

/** Several processes may be started at once on a fresh clone; one of them does the work, the others wait. */
async function prepare() {
  let release = await lockDirectory(root);
  for (; !release; release = await lockDirectory(root)) await pause(200);
  try {
    await install();
    await generate();
    await (process.argv.includes('--dev') ? buildEvaluator() : build());
  } finally {
    await release();
  }
}

try {
  await prepare();
} catch (error) {
  process.stderr.write(`${error instanceof CommandFailed ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
