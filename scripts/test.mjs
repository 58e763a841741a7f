// `npm test`: all checks and tests, from a fresh clone. `npm run test:unit` and similar commands: one
// tier of it.
import './node-version.mjs';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { build, generate } from './build.mjs';
import { AFTER_BUILD, WITHOUT_BUILD, check } from './check.mjs';
import { install } from './install.mjs';
import { CommandFailed, bin, relay, say } from './step.mjs';
import { readPlaywrightResults, readVitestResults } from './test-results.mjs';
import { findTestFiles } from './test-tiers.mjs';
import { ensureTools } from './tools.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'weft-test-'));
const sum = { passed: 0, failed: 0 };
/** @type {import('./test-results.mjs').Problem[]} Tests that failed, also those that passed at their second try. */
const problems = [];
/** @type {string[]} */
const times = [];

/**
 * Programs besides npm packages, by their packages: servers, and the programs that copied commands of the console call.
 */
const TOOLS = {
  'redis-server': 'redis-server',
  mariadbd: 'mariadb-server',
  dovecot: 'dovecot-imapd',
  sshd: 'openssh-server',
  // Brings FTP itself, too.
  proftpd: 'proftpd-mod-crypto',
  pgbouncer: 'pgbouncer',
  curl: 'curl',
  openssl: 'openssl',
  // Shells that the command line completes in.
  zsh: 'zsh',
  fish: 'fish',
};

/** @type {Promise<void> | undefined} */
let tools;
const hasTools = () => (tools ??= ensureTools(TOOLS));

const SHORT = ['--tags-filter=!long'];
/** The growth tests that take seconds. */
const QUICK_GROWTH = ['growth/addresses', 'growth/channel', 'growth/growth'];
const LONG = ['--tags-filter=long'];

/** @type {Record<string, () => Promise<void>>} */
const TIERS = {
  /** Neither a database, nor a build, nor another process. */
  unit: () => vitest('unit tests', ['unit', 'dom', 'isolated']),
  /** Operations and the engine against a real database. */
  service: () => vitest('service tests', ['service']),
  /** Processes that are started, killed and frozen. */
  async process() {
    await hasTools();
    await vitest('process tests', ['process']);
  },
  /** The processor time of hostile inputs, by their size. */
  growth: () => vitest('growth tests', ['growth']),
  /** A real browser against the production build. */
  async e2e() {
    await hasTools();
    await ensureBrowser();
    await build();
    await playwright('end-to-end tests', ['--grep-invert=@long']);
  },
  /** What takes too long for every change: before a release. */
  async long() {
    await hasTools();
    await ensureBrowser();
    await build();
    await playwright('all end-to-end tests', [], { E2E_COLOURS: 'both' });
    await vitest('long tests', ['unit', 'dom', 'isolated', 'process', 'service'], LONG);
    await vitest('more random values', ['unit', 'isolated', 'service'], [], {
      PROPERTY_RUNS: '1500',
      TEST_SHARD: 'all',
      TEST_FILES: findTestFiles()
        .flatMap(({ file, text }) => (/from '(?:fast-check|@\/server\/testing\/shards)'/.test(text) ? [file] : []))
        .join('\n'),
    });
    await TIERS.growth?.();
  },
};

/**
 * Two stages at any time, one for each of two cores. The process tests wait most of the time, so they run beside the
 * end-to-end tests, which are busy most of the time.
 */
async function all() {
  const built = stage('build', build);
  await together(
    async () => {
      await built;
      await checks(AFTER_BUILD);
      await TIERS.e2e?.();
      await checks(WITHOUT_BUILD);
    },
    async () => {
      await TIERS.unit?.();
      // A build removes the programs that the tests put beside its own. Another lane reports its failure.
      await built.catch(() => undefined);
      await hasTools();
      await vitest('process and service tests', ['process', 'service']);
    },
  );
  // They measure processor time, which other work on the same cores makes longer.
  await vitest('growth tests', ['growth'], [...SHORT, ...QUICK_GROWTH]);
}

/** @param {string[]} names */
async function checks(names) {
  await stage(names.length > 1 ? 'checks' : `check of ${names}`, async () => {
    sum.failed += (await check(names)).length;
  });
}

const tier = process.argv[2];
if (tier && !TIERS[tier]) {
  process.stderr.write(`There is no tier ${tier}: ${Object.keys(TIERS).join(', ')}\n`);
  process.exit(2);
}
const begin = performance.now();
try {
  await together(async () => {
    // Beside npm's downloads. Who needs them reports their failure.
    if (!tier) hasTools().catch(() => undefined);
    await install();
    await generate();
    await (tier ? TIERS[tier] : all)?.();
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
  say(`\n${[...times, timed('in all', begin)].join('\n')}\n`);
  // At the end, where the last lines of a long log still show them.
  for (const { test, isUnstable, error } of problems) say(`${isUnstable ? 'unstable' : 'failed'}: ${test}\n${error}\n`);
  const unstable = problems.filter(({ isUnstable }) => isUnstable).length;
  say(`${sum.passed} passed, ${sum.failed} failed${unstable > 0 ? `, ${unstable} of them unstable` : ''}`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** @param {(() => Promise<void>)[]} works Errors are printed and counted; the other works continue. */
async function together(...works) {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    sum.failed += 1;
    const error = result.reason;
    process.stderr.write(`${error instanceof CommandFailed ? error.message : error.stack}\n`);
  }
}

/**
 * Runs a part of the work and records its duration.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
async function stage(name, work) {
  const start = performance.now();
  try {
    return await work();
  } finally {
    times.push(timed(name, start));
  }
}

/**
 * @param {string} name
 * @param {number} start
 */
function timed(name, start) {
  return `${name.padEnd(26)} ${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s`;
}

/**
 * @param {string} name
 * @param {string[]} projects as in vitest.config.ts
 * @param {string[]} filter
 * @param {Record<string, string>} env
 */
function vitest(name, projects, filter = SHORT, env = {}) {
  const report = path.join(folder, `${name.replaceAll(' ', '-')}.json`);
  const only = projects.map((project) => `--project=${project}`);
  const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return stage(name, async () => {
    const code = await relay(process.execPath, [bin('vitest/vitest.mjs'), 'run', ...only, ...filter, ...outputs], env);
    count(code, report, readVitestResults);
  });
}

/**
 * @param {string} name
 * @param {string[]} filter
 * @param {Record<string, string>} env
 */
function playwright(name, filter, env = {}) {
  const report = path.join(folder, 'playwright.json');
  return stage(name, async () => {
    const code = await relay(
      process.execPath,
      [bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...filter],
      {
        ...env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        E2E_PORT: String(await freePort()),
        E2E_DATA_DIR: path.join(folder, 'data'),
      },
    );
    count(code, report, readPlaywrightResults);
  });
}

/**
 * Adds the report of a test runner. A runner that fails without a failed test (a crash, no report) counts as a failure.
 *
 * @param {number} code
 * @param {string} report
 * @param {(report: any) => import('./test-results.mjs').Results} read
 */
function count(code, report, read) {
  const results = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, problems: [] };
  // A test that passes only at its second try has failed.
  const unstable = results.problems.filter(({ isUnstable }) => isUnstable).length;
  sum.passed += results.passed - unstable;
  sum.failed += (code !== 0 ? Math.max(results.failed, 1) : results.failed) + unstable;
  problems.push(...results.problems);
}

/**
 * Below the range of ephemeral ports: the tests that run in parallel open many.
 *
 * @returns {Promise<number>}
 */
async function freePort() {
  const port = randomInt(20_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.close();
  return isFree ? port : freePort();
}
