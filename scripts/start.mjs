// `npm start`: from a fresh clone, or a changed one, to the running service. `--dev`: with hot reload.
import './node-version.mjs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { root, show } from './step.mjs';

const isDevelopment = process.argv.includes('--dev');

const code = await show(process.execPath, ['scripts/prepare.mjs', ...(isDevelopment ? ['--dev'] : [])]);
if (code !== 0) process.exit(code);
process.chdir(root);
if (isDevelopment) {
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
  process.exitCode = await show(process.execPath, [tsx, 'watch', '--clear-screen=false', 'server/main.ts'], {
    NODE_ENV: 'development',
  });
} else {
  process.env.NODE_ENV = 'production';
  // Runs in this process: it is the parent of the service and of the embedded database.
  await import(pathToFileURL(path.join(root, 'dist/supervisor.mjs')).href);
}
