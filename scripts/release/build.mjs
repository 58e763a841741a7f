// `npm run release:build -- --out <folder> [--stand-in] [<part> …]`: builds the files of a release, and publishes
// nothing. The parts are packages, chart, sbom, image and notes; without one, all of them. SHA256SUMS is written at the
// end, over all files in the folder; the part sums writes nothing else. --stand-in: the image stands on a base made
// from the distribution, where no registry of images is reachable.
import '../node-version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, generate } from '../build.mjs';
import { buildClients } from '../clients.mjs';
import { CHART, OPTIONS, expectSuccess, findHelm } from '../../deploy/scripts/helm.mjs';
import { archiveImage, hasImageTools } from '../image/build.mjs';
import { CommandFailed, root, run, say, step } from '../step.mjs';
import { releaseNotes } from './changelog.mjs';
import { releaseFacts } from './places.mjs';

const SUMS = 'SHA256SUMS';

/** @typedef {{ out: string, version: string, isStandIn: boolean }} Target */

/** @type {Record<string, (target: Target) => void | Promise<void>>} */
const PARTS = { packages, chart, sbom, image, notes, sums: () => undefined };

/** `npm pack` of the clients. @param {Target} target */
async function packages({ out }) {
  await generate();
  for (const file of await buildClients()) copyFileSync(file, path.join(out, path.basename(file)));
}

/**
 * The chart as an archive for `helm install` and `helm push`, after its examples were rendered anew and compared.
 * @param {Target} target
 */
async function chart({ out }) {
  await step('Packing the chart', async () => {
    await run(process.execPath, ['deploy/scripts/helm-check.mjs']);
    await inTemporaryFolder((folder) => {
      // Helm may run as another user.
      const packed = path.join(folder, 'packed');
      mkdirSync(packed);
      for (const one of [folder, packed]) chmodSync(one, 0o777);
      const [program = '', ...words] = findHelm(folder);
      cpSync(CHART, path.join(folder, 'chart'), { recursive: true });
      expectSuccess(spawnSync(program, [...words, 'package', path.join(folder, 'chart'), '-d', packed], OPTIONS));
      for (const file of readdirSync(packed)) copyFileSync(path.join(packed, file), path.join(out, file));
    });
  });
}

/**
 * The bill of materials and the licences of what images contain, for the platform of this machine. @param {Target}
 * target
 */
async function sbom({ out, version }) {
  await generate();
  await build();
  await step('Listing the packages of the service', () =>
    inTemporaryFolder(async (folder) => {
      await run(process.execPath, ['scripts/image/collect.mjs', folder]);
      const name = path.join(out, `weft-${version}-${process.platform}-${process.arch}`);
      copyFileSync(path.join(folder, 'sbom.cdx.json'), `${name}.cdx.json`);
      copyFileSync(path.join(folder, 'third-party-licenses.txt'), `${name}.licenses.txt`);
    }),
  );
}

/** The image as an OCI archive, for the architecture of this machine, if the tools are there. @param {Target} target */
async function image({ out, version, isStandIn }) {
  if (!hasImageTools()) return say('No image: that needs buildah, and root.');
  const name = `weft-${version}-${process.platform}-${process.arch}${isStandIn ? '-stand-in' : ''}.oci.tar`;
  await archiveImage(path.join(out, name), { version, isStandIn });
}

/** @param {Target} target */
function notes({ out, version }) {
  writeFileSync(path.join(out, 'NOTES.md'), releaseNotes(version));
}

/** @param {string[]} parts @returns {string[]} */
export const findUnknownParts = (parts) =>
  parts.filter((part) => !PARTS[part]).map((part) => `There is no part ${part}: ${Object.keys(PARTS).join(', ')}`);

/**
 * Builds parts of a release into a folder.
 *
 * @param {Target} target
 * @param {string[]} parts
 */
export async function buildRelease(target, parts = Object.keys(PARTS)) {
  const unknown = findUnknownParts(parts);
  if (unknown.length > 0) throw new CommandFailed(unknown.join('\n'));
  mkdirSync(target.out, { recursive: true });
  for (const part of parts) await PARTS[part]?.(target);
  writeSums(target.out);
}

/** As `sha256sum --check` reads it. @param {string} out */
function writeSums(out) {
  const lines = readdirSync(out)
    .filter((file) => file !== SUMS)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(out, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(path.join(out, SUMS), lines.join(''));
}

/** @param {(folder: string) => void | Promise<void>} work */
async function inTemporaryFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-release-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, 'stand-in': { type: 'boolean', default: false } },
  });
  const { version } = releaseFacts();
  const out = path.resolve(values.out ?? path.join(root, 'release', version));
  await buildRelease({ out, version, isStandIn: values['stand-in'] }, positionals.length > 0 ? positionals : undefined);
  for (const file of readdirSync(out)) say(path.join(out, file));
}
