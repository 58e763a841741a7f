// `npm start`: from a fresh clone, or a changed one, to the running service. `--dev`: with hot reload.
import './node-version.mjs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockDirectory } from '../server/db/directory-lock.mjs';
import { build, generate } from './build.mjs';
import { install } from './install.mjs';
import { CommandFailed, root, show } from './step.mjs';

const isDevelopment = process.argv.includes('--dev');

try {
  await prepare();
} catch (error) {
  process.stderr.write(`${error instanceof CommandFailed ? error.message : error.stack}\n`);
  process.exit(1);
}
process.chdir(root);
if (isDevelopment) {
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
  process.exitCode = await show(process.execPath, [tsx, 'watch', '--clear-screen=false', 'server/main.ts'], {
    NODE_ENV: 'development',
  });
} else {
  process.env.NODE_ENV = 'production';
  process.setSourceMapsEnabled(true);
  // In this very process: one less to signal, and none that could be left behind.
  await import(pathToFileURL(path.join(root, 'dist/server.mjs')).href);
}

/** Several processes may be started at once on a fresh clone; one of them does the work, the others wait. */
async function prepare() {
  let release = await lockDirectory(root);
  for (; !release; release = await lockDirectory(root)) await pause(200);
  try {
    await install();
    await generate();
    if (!isDevelopment) await build();
  } finally {
    await release();
  }
}
