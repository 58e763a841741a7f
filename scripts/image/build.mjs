import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fetchNode } from '../node-binary.mjs';
import { recommendedNode, releaseFacts } from '../release/places.mjs';
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

const STAND_IN = 'localhost/weft-check-base';

/** Whether images can be built here. */
export const hasImageTools = () => process.getuid?.() === 0 && !spawnSync('buildah', ['--version']).error;

/** Builds the image of deploy/Dockerfile on a base made from the distribution, and mounts its root file system. */
export async function buildImage() {
  const remove = await buildTagged('localhost/weft-check', { isStandIn: true });
  const final = buildah('from', '--pull-never', 'localhost/weft-check');
  const folder = buildah('mount', final);
  const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/weft-check'));
  return {
    folder,
    /** @type {{ Cmd: string[]; Labels: Record<string, string> }} */
    config: OCIv1.config,
    remove() {
      buildah('rm', final);
      remove();
    },
  };
}

/**
 * Builds the image and writes it as an OCI archive.
 *
 * @param {string} file
 * @param {{ version: string; isStandIn: boolean }} options `isStandIn`: the base is made from the distribution
 */
export async function archiveImage(file, { version, isStandIn }) {
  const tag = `localhost/weft:${version}`;
  const remove = await buildTagged(tag, { isStandIn });
  try {
    buildah('push', tag, `oci-archive:${file}:weft:${version}`);
  } finally {
    remove();
  }
}

/**
 * @param {string} tag
 * @param {{ isStandIn: boolean }} options
 * @returns {Promise<() => void>} removes the image
 */
async function buildTagged(tag, { isStandIn }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-base-'));
  if (isStandIn) await makeBase(folder);
  process.stdout.write('Building the image\n');
  const base = isStandIn ? ['--build-arg', `BASE=${STAND_IN}`] : [];
  buildah('build', '--network=host', ...npmSettings(folder), ...base, '-f', 'deploy/Dockerfile', '-t', tag, '.');
  return () => {
    buildah('rmi', '--force', tag, ...(isStandIn ? [STAND_IN] : []));
    for (const left of [folder, `${folder}.npmrc`]) rmSync(left, { recursive: true, force: true });
  };
}

/**
 * Volumes for the build with this machine's settings of npm, and with its certificates if it has some of its own. They
 * are no part of the image.
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

/**
 * A stand-in for the base that deploy/Dockerfile names: Debian's minimal system with the same version of Node.js, and
 * the npm of this machine.
 *
 * @param {string} folder
 */
async function makeBase(folder) {
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', folder]);
  for (const unneeded of UNNEEDED) rmSync(path.join(folder, unneeded), { recursive: true, force: true });
  const fetched = path.join(folder, 'tmp/node');
  mkdirSync(fetched);
  const node = await fetchNode(recommendedNode(releaseFacts()), fetched);
  cpSync(node, path.join(folder, 'usr/local/bin/node'));
  rmSync(fetched, { recursive: true });
  const npm = path.resolve(path.dirname(process.execPath), '../lib/node_modules/npm');
  cpSync(npm, path.join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', path.join(folder, 'usr/local/bin/npm')]);
  // The user of the image that it stands for.
  appendFileSync(path.join(folder, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n');
  appendFileSync(path.join(folder, 'etc/group'), 'node:x:1000:\n');
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, folder, '/');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  buildah('commit', '--quiet', '--rm', container, STAND_IN.replace('localhost/', ''));
}

/** Folders of Debian's minimal system that the image of Node.js does not have, either. */
const UNNEEDED = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/locale',
  'usr/share/man',
  'var/cache/debconf',
];

/**
 * Checks the labels and the size of the image, and that it holds neither secrets nor tests nor sources.
 *
 * @param {Awaited<ReturnType<typeof buildImage>>} image
 */
export function checkFiles({ folder, config }) {
  const { version } = releaseFacts();
  const label = config.Labels['org.opencontainers.image.version'];
  if (label !== version) throw new Error(`The image says that it is ${label} and not ${version}`);
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
