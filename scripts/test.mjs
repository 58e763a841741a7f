// `npm test`: everything that can be known about this version, from a fresh clone.
import './node-version.mjs';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { build, generate } from './build.mjs';
import { check } from './check.mjs';
import { install } from './install.mjs';
import { CommandFailed, bin, show } from './step.mjs';
import { ensureTools } from './tools.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'weft-test-'));
const sum = { passed: 0, failed: 0 };

try {
  await attempt(async () => {
    await install();
    await generate();
    await build();
    sum.failed += (await check()).length;
    await ensureTools();
    await count('vitest', ['vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'], readVitest);
    await ensureBrowser();
    await count('playwright', ['@playwright/test/cli.js', 'test', '--reporter=list,json'], readPlaywright);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    sum.failed += 1;
    process.stderr.write(`${error instanceof CommandFailed ? error.message : error.stack}\n`);
  }
}

/**
 * Runs a test runner in the foreground and adds what it counted. One that fails without a failed test (a crash, no
 * report) counts as a failure itself.
 *
 * @param {string} name
 * @param {string[]} command
 * @param {(report: never) => { passed: number, failed: number }} read
 */
async function count(name, [program = '', ...args], read) {
  const report = path.join(folder, `${name}.json`);
  const code = await show(
    process.execPath,
    [bin(program), ...args, ...(name === 'vitest' ? [`--outputFile.json=${report}`] : [])],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      E2E_PORT: String(await freePort()),
      E2E_DATA_DIR: path.join(folder, 'data'),
    },
  );
  const { passed, failed } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0 };
  sum.passed += passed;
  sum.failed += code !== 0 ? Math.max(failed, 1) : failed;
}

/** @param {{ numPassedTests: number, numFailedTests: number }} report */
function readVitest({ numPassedTests, numFailedTests }) {
  return { passed: numPassedTests, failed: numFailedTests };
}

/** @param {{ stats: { expected: number, unexpected: number, flaky: number } }} report */
function readPlaywright({ stats }) {
  // A journey that only passes at the second try isn't one that passes.
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
