import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
  const settings = npmSettings(base);
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
  const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/weft-check'));
  return {
    folder,
    /** @type {string[]} */
    command: OCIv1.config.Cmd,
    remove() {
      buildah('rm', final);
      buildah('rmi', '--force', 'localhost/weft-check', 'localhost/weft-check-base');
      for (const left of [base, `${base}.npmrc`]) rmSync(left, { recursive: true, force: true });
    },
  };
}

/**
 * Volumes for the build with this machine's settings of npm, and with its certificates if it has some of its own. They are no part of the
 * image.
 *
 * @param {string} base
 */
function npmSettings(base) {
  const own = path.join(homedir(), '.npmrc');
  const lines = existsSync(own) ? [readFileSync(own, 'utf8')] : [];
  const volumes = [];
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    lines.push('cafile=/etc/build-certificates.pem');
    volumes.push('--volume', `${certificates}:/etc/build-certificates.pem:ro`);
  }
  const file = `${base}.npmrc`;
  writeFileSync(file, lines.join('\n'));
  return [...volumes, '--volume', `${file}:/root/.npmrc:ro`];
}

/** A stand-in for node:20-bookworm-slim: Debian's minimal system with the Node.js and npm of this machine. */
function makeBase() {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-base-'));
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', folder]);
  slim(folder);
  // The user of the image that it stands for.
  appendFileSync(path.join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  appendFileSync(path.join(folder, 'etc/group'), 'node:x:1000:\n');
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
  const megabytes = Number(run('du', ['-sm', '--apparent-size', folder]).split('\t')[0]);
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
  if (writable.length > 0) throw new Error(`All users can write ${writable.slice(0, 10).join(', ')}`);
  if (!existsSync(path.join(service, 'sbom.cdx.json'))) throw new Error('The image has no SBOM');
}
