// `npm run test:seeded -- [<text> …]`: proves that the tests of `npm test` find each fault of
// scripts/seeded-faults.mjs, or those whose file or description contains a text. Each is made in a temporary work tree
// of the last commit.
import './node-version.mjs';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from './build.mjs';
import { install } from './install.mjs';
import { SEEDED_FAULTS } from './seeded-faults.mjs';
import { CommandFailed, root, run, say } from './step.mjs';

/** @typedef {import('./seeded-faults.mjs').SeededFault} SeededFault */

const words = process.argv.slice(2);
const faults = SEEDED_FAULTS.filter(
  ({ file, instead }) => words.length === 0 || words.some((word) => file.includes(word) || instead.includes(word)),
);

await install();
await generate();
mkdirSync(path.join(root, 'dist-tests'), { recursive: true });
const folder = mkdtempSync(path.join(root, 'dist-tests', 'seeded-'));
const tree = path.join(folder, 'tree');
/** @type {string[]} */
const failures = [];
let found = 0;
try {
  execFileSync('git', ['worktree', 'add', '--detach', tree, 'HEAD'], { cwd: root, stdio: 'ignore' });
  // Hard links: evaluator processes read no file through a symbolic link that leads out of the project.
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), tree]);
  cpSync(path.join(root, 'generated'), path.join(tree, 'generated'), { recursive: true });
  const before = await findFailedTests([...new Set(faults.flatMap(({ tests }) => tests))]);
  if (before.length > 0) failures.push(`Without a fault there fail:\n${before.join('\n')}`);
  else for (const fault of faults) await prove(fault);
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: root, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) say(failure);
say(`${found} of ${faults.length} faults are found`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** @param {SeededFault} fault */
async function prove({ instead, file, find, replace, tests }) {
  const place = path.join(tree, file);
  const text = readFileSync(place, 'utf8');
  const count = text.split(find).length - 1;
  if (count !== 1) return void failures.push(`✗ ${file}: the text to replace occurs ${count} times: ${find}`);
  writeFileSync(
    place,
    text.replace(find, () => replace),
  );
  const failed = await findFailedTests(tests);
  writeFileSync(place, text);
  if (failed.length === 0) failures.push(`✗ ${file}: no test fails (${instead})`);
  else {
    found += 1;
    say(`✓ ${instead}\n    ${failed[0]}${failed.length > 1 ? `, and ${failed.length - 1} more` : ''}`);
  }
}

/**
 * @param {string[]} tests
 * @returns {Promise<string[]>} the names of the tests that fail
 */
async function findFailedTests(tests) {
  const report = path.join(folder, 'report.json');
  rmSync(report, { force: true });
  const words = [path.join(tree, 'node_modules/vitest/vitest.mjs'), 'run', '--root', tree, '--tags-filter=!long'];
  const outputs = ['--retry=0', '--reporter=json', `--outputFile=${report}`];
  const output = await run('env', ['-C', tree, process.execPath, ...words, ...outputs], {
    TEST_FILES: tests.join('\n'),
  }).then(
    () => '',
    (error) => (error instanceof CommandFailed ? error.output : String(error.stack)),
  );
  if (output === '') return [];
  /**
   * @type {{ testResults: { name: string, message: string, assertionResults: { status: string, fullName: string,
   *   failureMessages: string[] }[] }[] }}
   */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n', 1)[0] ?? ''}`);
    return failed.length > 0 || message === '' ? failed : [`${path.basename(name)}: ${message.split('\n', 1)[0]}`];
  });
}
