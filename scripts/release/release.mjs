// `npm run release -- <version>`: checks, writes the version, builds everything into release/<version>, commits and
// tags. It publishes nothing. A step that fails leaves neither a commit nor a tag. --dry-run: changes nothing in git,
// and goes on where only a real release is refused. --tested: `npm test`, which contains all checks, and
// `npm run test:long` have passed for this commit. --out <folder>: another folder, an empty one. --parts chart,notes:
// only these parts (scripts/release/build.mjs). --stand-in: for the image, as there.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import semver from 'semver';
import { EXAMPLES, EXAMPLE_NAMES } from '../../deploy/scripts/helm.mjs';
import { CommandFailed, root, say, show } from '../step.mjs';
import { buildRelease, findUnknownParts } from './build.mjs';
import { CHANGELOG, releaseNotes, releaseSection } from './changelog.mjs';
import { findPublishingFaults, findReleaseFaults } from './check.mjs';
import { PLACES, releaseFacts, writePlaces } from './places.mjs';

const USAGE =
  'Usage: npm run release -- <version> [--dry-run] [--tested] [--out <folder>] [--parts <part,…>] [--stand-in]';

/** @param {string[]} words */
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    tested: { type: 'boolean', default: false },
    out: { type: 'string' },
    parts: { type: 'string' },
    'stand-in': { type: 'boolean', default: false },
  },
});

/** Files that a release writes. */
const WRITTEN = [
  'package.json',
  'CHANGELOG.md',
  ...PLACES.map(({ file }) => file),
  ...EXAMPLE_NAMES.map((name) => path.relative(root, path.join(EXAMPLES, `${name}.rendered.yaml`))),
];

try {
  await release(positionals[0] ?? '', options['dry-run']);
} catch (error) {
  process.stderr.write(`${error instanceof CommandFailed ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

/**
 * @param {string} version
 * @param {boolean} isDryRun
 */
async function release(version, isDryRun) {
  const given = options.out === undefined ? undefined : path.resolve(options.out);
  const parts = options.parts?.split(',');
  const refusals = [...findRefusals(version), ...findFolderFaults(given), ...findUnknownParts(parts ?? [])];
  const publishing = [...findBranchFaults(), ...findPublishingFaults()];
  if (!isDryRun) refusals.push(...publishing);
  if (refusals.length > 0) throw new CommandFailed(`No release:\n${refusals.join('\n')}`);
  if (isDryRun) for (const fault of publishing) say(`A real release would be refused: ${fault}`);
  for (const words of options.tested ? [] : [[], ['long']])
    if ((await show(process.execPath, ['scripts/test.mjs', ...words])) !== 0)
      throw new CommandFailed('No release: the tests failed.');

  const before = git('rev-parse', 'HEAD');
  const out = given ?? path.join(root, 'release', version);
  rmSync(out, { recursive: true, force: true });
  try {
    writeVersion(version);
    await buildRelease({ out, version, isStandIn: options['stand-in'] }, parts);
    if (!isDryRun) tagRelease(version);
  } catch (error) {
    undo(before);
    rmSync(out, { recursive: true, force: true });
    throw error;
  }
  if (isDryRun) undo(before);
  say(`${readdirSync(out).join('\n')}\nin ${out}`);
  say(isDryRun ? 'A dry run: git is as before.' : `Tagged v${version}. Publish: git push --follow-tags`);
}

/**
 * Why there can be no release of this version.
 *
 * @param {string} version
 * @returns {string[]}
 */
function findRefusals(version) {
  if (version === '') return [USAGE];
  if (semver.valid(version) !== version) return [`${version} is not a version, such as 1.2.3`];
  const faults = [];
  const changed = git('status', '--porcelain');
  if (changed) faults.push(`The work tree has changes:\n${changed}`);
  const current = releaseFacts().version;
  if (semver.lt(version, current)) faults.push(`${version} is less than ${current} in package.json`);
  const released = git('tag', '--list', 'v*')
    .split('\n')
    .filter((tag) => semver.valid(tag));
  const newest = semver.rsort(released)[0];
  if (newest && semver.lte(version, newest)) faults.push(`${version} is not greater than ${newest}, which is released`);
  try {
    releaseSection(readFileSync(CHANGELOG, 'utf8'), version, '');
  } catch (error) {
    faults.push(error.message);
  }
  return [...faults, ...findReleaseFaults()];
}

function findBranchFaults() {
  const branch = git('branch', '--show-current');
  return branch === 'main' ? [] : [`The branch is ${branch || 'none'} and not main`];
}

/** @param {string | undefined} folder */
function findFolderFaults(folder) {
  return folder !== undefined && existsSync(folder) && readdirSync(folder).length > 0 ? [`${folder} is not empty`] : [];
}

/** @param {string} version */
function writeVersion(version) {
  const file = path.join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  writePlaces();
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, releaseSection(readFileSync(CHANGELOG, 'utf8'), version, today));
  const faults = findReleaseFaults();
  if (faults.length > 0) throw new CommandFailed(faults.join('\n'));
}

/** @param {string} version */
function tagRelease(version) {
  git('add', '--', ...WRITTEN);
  git('commit', '--quiet', '--message', `release: ${version}`, '--', ...WRITTEN);
  // The headings of the notes begin with the sign of git's comments.
  git('tag', '--annotate', '--cleanup=whitespace', '--message', releaseNotes(version), `v${version}`);
}

/** Back to a commit; changes that others made meanwhile stay. @param {string} commit */
function undo(commit) {
  if (git('rev-parse', 'HEAD') !== commit) git('reset', '--quiet', '--keep', commit);
  else git('restore', '--staged', '--worktree', '--', ...WRITTEN);
}
