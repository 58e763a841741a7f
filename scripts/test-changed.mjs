// `npm run test:changed -- [<commit>] [<tier> …]`: the tests that changes since a commit can reach; without one, since
// the branch left main. `npm run test:watch -- [<tier> …]`: the same with each change of a file, of the unit tests if
// no tier is named.
import './node-version.mjs';
import { execFileSync } from 'node:child_process';
import { watch } from 'node:fs';
import { generate } from './build.mjs';
import { install } from './install.mjs';
import { bin, relay, root, say } from './step.mjs';
import { openTestGraph } from './test-graph.mjs';

const TIERS = ['unit', 'dom', 'isolated', 'service', 'process', 'growth'];
/** How long a watcher waits for further changes: editors and branches change several files. */
const QUIET_MS = 200;

const words = process.argv.slice(2);
const isWatching = words.includes('--watch');
const named = words.filter((word) => TIERS.includes(word));
const [commit] = words.filter((word) => !TIERS.includes(word) && !word.startsWith('--'));

await install();
await generate();
const graph = await openTestGraph();
if (isWatching) await watchFiles(named.length > 0 ? named : ['unit', 'dom', 'isolated']);
else {
  const tiers = named.length > 0 ? named : TIERS.filter((tier) => tier !== 'growth');
  process.exitCode = await runReached(listChangedFiles(commit ?? findBranchPoint()), tiers);
  await graph.close();
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Where the branch left main. On main itself, its last commit. */
function findBranchPoint() {
  for (const main of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', main);
    } catch {
      // There is no such branch.
    }
  }
  return 'HEAD';
}

/** @param {string} since */
function listChangedFiles(since) {
  const lines = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')];
  return lines.flatMap((text) => text.split('\n')).filter(Boolean);
}

/**
 * @param {string[]} changed
 * @param {string[]} tiers
 * @returns {Promise<number>} the exit code of the tests
 */
async function runReached(changed, tiers) {
  const reached = (await graph.findReachedTests(changed)).filter(({ tier }) => tiers.includes(tier));
  say(`${changed.length} changed files reach ${reached.length} test files of ${tiers.join(', ')}`);
  if (reached.length === 0) return 0;
  const TEST_FILES = reached.map(({ file }) => file).join('\n');
  return relay(process.execPath, [bin('vitest/vitest.mjs'), 'run', '--tags-filter=!long'], { TEST_FILES });
}

/** @param {string[]} tiers */
async function watchFiles(tiers) {
  /** @type {Set<string>} */
  const changed = new Set();
  let wake = () => {};
  const folders = git('ls-files')
    .split('\n')
    .map((file) => file.split('/'));
  for (const folder of new Set(folders.flatMap(([first, ...rest]) => (rest.length > 0 && first ? [first] : [])))) {
    watch(folder, { recursive: true }, (_, name) => {
      if (!name) return;
      changed.add(`${folder}/${name}`);
      wake();
    });
  }
  say(`Waiting for changes; tests: ${tiers.join(', ')}`);
  for (;;) {
    if (changed.size === 0) await new Promise((resolve) => (wake = () => resolve(undefined)));
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const files = [...changed];
    changed.clear();
    await runReached(files, tiers);
    say('Waiting for changes');
  }
}
