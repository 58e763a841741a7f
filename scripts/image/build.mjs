import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../step.mjs';

const MAX_MB = 400;

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stdout?.slice(-4000)}\n${stderr?.slice(-4000)}`);
  return stdout.trim();
}
const buildah = (/** @type {string[]} */ ...args) => run('buildah', args);

/** Builds the image of deploy/Dockerfile on a base made from the distribution, and mounts its root file system. */
export async function buildImage() {
  const base = makeBase();
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, base, '/');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  buildah('commit', '--quiet', '--rm', container, 'weft-check-base');
  const npmrc = path.join(homedir(), '.npmrc');
  const settings = existsSync(npmrc) ? ['--volume', `${npmrc}:/root/.npmrc:ro`] : [];
  process.stdout.write('Building the image\n');
  buildah(
    'build',
    '--network=host',
    ...settings,
    '--build-arg',
    'BASE=localhost/weft-check-base',
    '-f',
    'deploy/Dockerfile',
    '-t',
    'weft-check',
    '.',
  );
  const final = buildah('from', '--pull-never', 'localhost/weft-check');
  const folder = buildah('mount', final);
  return {
    folder,
    remove() {
      buildah('rm', final);
      buildah('rmi', '--force', 'localhost/weft-check', 'localhost/weft-check-base');
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** A stand-in for node:20-bookworm-slim: Debian's minimal system with the Node.js and npm of this machine. */
function makeBase() {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-base-'));
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder]);
  slim(folder);
  return folder;
}

/** @param {string} folder */
function slim(folder) {
  for (const unneeded of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/doc',
    'usr/share/locale',
    'usr/share/man',
    'var/cache/debconf',
  ]) {
    rmSync(path.join(folder, unneeded), { recursive: true, force: true });
  }
  cpSync(process.execPath, path.join(folder, 'usr/local/bin/node'), { dereference: true });
  const npm = path.resolve(path.dirname(process.execPath), '../lib/node_modules/npm');
  cpSync(npm, path.join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', path.join(folder, 'usr/local/bin/npm')]);
}

/**
 * Checks the size of the image, and that it holds neither secrets nor tests nor sources.
 *
 * @param {string} folder
 */
export function checkFiles(folder) {
  const megabytes = Number(run('du', ['-sm', folder]).split('\t')[0]);
  const service = path.join(folder, 'weft');
  const own = readdirSync(service, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.includes('node_modules'),
  );
  const unwanted = own.filter((name) =>
    /(^|\/)\.env|\.test\.|\.tsx?$|(^|\/)(e2e|server\/testing|\.git)(\/|$)|\.(pem|key)$/.test(name),
  );
  const writable = own.filter((name) => (statSync(path.join(service, name)).mode & 0o022) !== 0);
  process.stdout.write(`The image has ${megabytes} MB\n`);
  if (megabytes > MAX_MB) throw new Error(`The image has ${megabytes} MB, more than ${MAX_MB}`);
  if (unwanted.length > 0) throw new Error(`The image holds ${unwanted.slice(0, 10).join(', ')}`);
  if (writable.length > 0) throw new Error(`Everybody can write ${writable.slice(0, 10).join(', ')}`);
  if (!existsSync(path.join(service, 'sbom.cdx.json'))) throw new Error('The image has no SBOM');
}
