import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A version whose packages are all in the registry, and a version of Node.js that runs it. */
export const N8N_VERSION = '2.41.1';
const NODE_VERSION = '24';

/** Where n8n is, with the Node.js that runs it. */
export interface N8nInstallation {
  folder: string;
  nodePath: string;
  version: string;
  /** What evaluates its expressions: `vm` in an isolate of its own, `legacy` in its process. */
  engine: 'vm' | 'legacy';
}

const npm = (folder: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path.join(folder, 'package.json')))
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
}

/** Installs n8n from the package registry, unless it is there. Only its database is built: it needs nothing else. */
export function installN8n(folder: string): N8nInstallation {
  const manifest = path.join(folder, 'node_modules/n8n/package.json');
  if (!existsSync(manifest)) {
    prepareFolder(folder);
    npm(folder, 'install', '--ignore-scripts', `n8n@${N8N_VERSION}`);
  }
  if (!existsSync(path.join(folder, 'node_modules/sqlite3/build/Release/node_sqlite3.node')))
    npm(folder, 'rebuild', 'sqlite3');
  const nodeFolder = path.join(folder, 'node');
  const nodePath = path.join(nodeFolder, 'node_modules/node/bin/node');
  if (!existsSync(nodePath)) {
    prepareFolder(nodeFolder);
    npm(nodeFolder, 'install', `node@${NODE_VERSION}`);
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return { folder, nodePath, version, engine: canIsolate(folder, nodePath) ? 'vm' : 'legacy' };
}

/** Whether the library for isolates, a native one, can be loaded. */
function canIsolate(folder: string, nodePath: string): boolean {
  try {
    execFileSync(nodePath, ['-e', 'require("isolated-vm")'], { cwd: folder, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
