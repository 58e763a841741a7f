// `npm run helm:check`: lints the chart deploy/helm/weft with Helm, renders its examples and compares them with
// deploy/helm/examples/*.rendered.yaml, and has wrong values refused. `-- --write` writes the rendered files. Helm is
// the one in the path; without one, Helm 3.6.2 of an npm package.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  CHART,
  EXAMPLES,
  EXAMPLE_NAMES,
  OPTIONS,
  expectSuccess,
  findHelm,
  fingerprintOf,
  manifestsOf,
} from './helm.mjs';

function check() {
  const program = findHelm(folder);
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

const folder = mkdtempSync(path.join(tmpdir(), 'weft-helm-'));
try {
  // Readable by the user that Helm runs as.
  chmodSync(folder, 0o755);
  check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
