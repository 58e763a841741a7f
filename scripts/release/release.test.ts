import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import semver from 'semver';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { root } from '../step.mjs';
import { releaseFacts } from './places.mjs';

// The command in a repository of its own, with the files of this one.

const folder = mkdtempSync(path.join(tmpdir(), 'weft-release-test-'));
const copy = path.join(folder, 'repository');
const out = path.join(folder, 'out');
const { version: VERSION } = releaseFacts();
const NEXT = semver.inc(VERSION, 'minor') ?? '';
let start: string;

const git = (...words: string[]) => execFileSync('git', words, { cwd: copy, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(path.join(copy, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(path.join(copy, file), text);
const commit = (message: string) => git('commit', '--quiet', '--all', '--message', message);

function run(...words: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}
/** Only the notes are built: the other parts take minutes. */
const release = (version: string, ...words: string[]) =>
  run('scripts/release.mjs', version, '--tested', '--parts', 'notes', '--out', out, ...words);

/** Puts the contact into the copy, as its owner does. */
function setContact(contact: string): void {
  write('package.json', read('package.json').replace(/"securityContact": ".*"/, `"securityContact": "${contact}"`));
  run('scripts/release/check.mjs', '--write');
}

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\0')
    .filter((file) => /^(?:scripts|clients|deploy|docs|examples|\.github)\/|^[^/]+$/.test(file));
  for (const file of files) cpSync(path.join(root, file), path.join(copy, file));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  writeFileSync(path.join(copy, '.git/info/exclude'), 'node_modules\n');
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const entries = '## [Unreleased]\n\n### Added\n\n- Cats ([docs/cats.md](docs/cats.md)).\n';
  write('CHANGELOG.md', `# Changelog\n\n${entries}`);
  setContact('mailto:security@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
  start = git('rev-parse', 'HEAD');
});

beforeEach(() => {
  git('checkout', '--quiet', '--force', '-B', 'main', start);
  for (const tag of git('tag').split('\n').filter(Boolean)) git('tag', '--delete', tag);
  rmSync(path.join(copy, '.git/hooks'), { recursive: true, force: true });
  rmSync(out, { recursive: true, force: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** That the repository is as before. */
function expectUntouched(head = start): void {
  expect({ head: git('rev-parse', 'HEAD'), tags: git('tag'), changes: git('status', '--porcelain') }).toEqual({
    head,
    tags: '',
    changes: '',
  });
}

test('a release writes the version everywhere, commits, tags with its notes, and lists checksums', () => {
  const { status, text } = release(NEXT);
  expect(status, text).toBe(0);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('cat-file', '-t', `v${NEXT}`)).toBe('tag');
  expect(git('rev-parse', `v${NEXT}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
  expect(git('tag', '--list', '--format=%(contents)', `v${NEXT}`)).toBe(
    `# Weft ${NEXT}\n\n### Added\n\n- Cats (docs/cats.md).`,
  );
  expect(git('log', '--format=%s', `${start}..HEAD`)).toBe(`release: ${NEXT}`);
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: NEXT });
  const [before = '', heading, after = ''] = read('CHANGELOG.md').split(/^(## \[\d.*)$/m);
  expect([before, after.trim()]).toEqual([
    '# Changelog\n\n## [Unreleased]\n\n',
    '### Added\n\n- Cats ([docs/cats.md](docs/cats.md)).',
  ]);
  expect(heading).toMatch(/ - \d{4}-\d\d-\d\d$/);
  expect(read('deploy/Dockerfile')).toContain(`\nARG VERSION=${NEXT}\n`);
  expect(read('clients/cli/package.json').split(`"${NEXT}"`)).toHaveLength(3);
  expect(read('deploy/helm/examples/small.rendered.yaml')).toContain(`image: "weft:${NEXT}"`);
  expect(run('scripts/release/check.mjs', '--tag', `v${NEXT}`)).toEqual({ status: 0, text: '' });
  expect(run('scripts/release/check.mjs', '--tag', 'v0.0.1').text).toContain(`v0.0.1 is not that of version ${NEXT}`);

  expect(readdirSync(out).sort()).toEqual(['NOTES.md', 'SHA256SUMS']);
  const hash = createHash('sha256')
    .update(readFileSync(path.join(out, 'NOTES.md')))
    .digest('hex');
  expect(readFileSync(path.join(out, 'SHA256SUMS'), 'utf8')).toBe(`${hash}  NOTES.md\n`);

  // The same again, an earlier one, and the next one.
  rmSync(out, { recursive: true });
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Dogs.\n'));
  commit('dogs');
  expect(release(NEXT).text).toContain(`${NEXT} is not greater than v${NEXT}, which is released`);
  expect(release(VERSION).text).toContain(`${VERSION} is less than ${NEXT} in package.json`);
  expect(release(`${semver.inc(NEXT, 'minor')}-rc.1`).status).toBe(0);
});

test('the version that package.json has already can be the first release', () => {
  const { status, text } = release(VERSION);
  expect(status, text).toBe(0);
  expect(git('tag')).toBe(`v${VERSION}`);
});

test('a dry run leaves files and changes nothing in git, and says what a real release lacks', () => {
  setContact('');
  commit('no contact');
  git('checkout', '--quiet', '-B', 'feature');
  const head = git('rev-parse', 'HEAD');
  const { status, text } = release(NEXT, '--dry-run');
  expect(status, text).toBe(0);
  expect(text).toContain('weft.securityContact is missing');
  expect(text).toContain('The branch is feature and not main');
  expect(readFileSync(path.join(out, 'NOTES.md'), 'utf8')).toContain(`# Weft ${NEXT}`);
  expectUntouched(head);
});

test.each([
  ['without a version', '', () => undefined, 'Usage: npm run release'],
  ['of no version', 'v1', () => undefined, 'v1 is not a version'],
  ['of a lower version', '0.0.1', () => undefined, '0.0.1 is less than'],
  [
    'without entries in the change log',
    NEXT,
    () => write('CHANGELOG.md', '# C\n\n## [Unreleased]\n'),
    'no entries under',
  ],
  [
    'with too many entries',
    NEXT,
    () => write('CHANGELOG.md', `# C\n\n## [Unreleased]\n\n${'- A line.\n'.repeat(201)}`),
    '[Unreleased] has 201 lines',
  ],
  ['without a contact', NEXT, () => setContact(''), 'weft.securityContact is missing'],
  ['with a wrong contact', NEXT, () => setContact('security@example.com'), 'must begin with mailto:'],
  ['with another version elsewhere', NEXT, () => write('.nvmrc', '20\n'), '.nvmrc differs from package.json'],
  [
    'with another version in a page',
    NEXT,
    () => write('docs/cli.md', 'npm install weft-cli weft-1.2.3.tgz\n'),
    'docs/cli.md: weft-1.2.3',
  ],
])('a release %s is refused', (_, version, prepare, message) => {
  prepare();
  if (git('status', '--porcelain')) commit('prepare');
  const head = git('rev-parse', 'HEAD');
  const { status, text } = release(version);
  expect(text).toContain(message);
  expect(status).toBe(1);
  expectUntouched(head);
});

test('a release from a changed work tree, from another branch, and into a full folder is refused', () => {
  mkdirSync(out);
  writeFileSync(path.join(out, 'file'), '');
  git('checkout', '--quiet', '-B', 'feature');
  write('README.md', 'Changed\n');
  const { status, text } = release(NEXT);
  expect(status).toBe(1);
  expect(text).toContain('The work tree has changes:\nM README.md');
  expect(text).toContain('The branch is feature and not main');
  expect(text).toContain(`${out} is not empty`);
  expect(read('README.md')).toBe('Changed\n');
});

test('a commit or a tag that fails leaves neither', () => {
  mkdirSync(path.join(copy, '.git/hooks'));
  writeFileSync(path.join(copy, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(release(NEXT).status).toBe(1);
  expectUntouched();
  rmSync(path.join(copy, '.git/hooks'), { recursive: true });
  // There is no program to sign with.
  git('config', 'tag.gpgSign', 'true');
  git('config', 'gpg.program', path.join(folder, 'missing'));
  try {
    expect(release(NEXT).status).toBe(1);
    expectUntouched();
  } finally {
    git('config', '--unset', 'tag.gpgSign');
  }
});
