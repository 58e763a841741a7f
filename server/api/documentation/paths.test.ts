import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const known = new Set(
  files.flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))),
);

const FOLDERS = /^(?:server|contract|components|app|scripts|clients|e2e|prisma|deploy|docs|public|examples)\//;
/** Files that a build makes, and files of another project. */
const ELSEWHERE = /^dist\/|execution-recovery\.service\.ts$/;

/** Whether a word names a file or folder: in full, or by the end of its path. */
const exists = (word: string): boolean =>
  known.has(word.replace(/\/$/, '')) || files.some((file) => file.endsWith(`/${word}`));

/** The words in back ticks that look like a path and name nothing. */
const deadPaths = (text: string): string[] =>
  [...text.matchAll(/`([\w@.\-/[\]]+)`/g)]
    .map(([, word = '']) => word)
    .filter((word) => (FOLDERS.test(word) || /\.(?:tsx?|mjs)$/.test(word)) && !ELSEWHERE.test(word) && !exists(word));

test('a path that does not exist is found', () => {
  const text =
    'See `server/api/operation/operation.ts`, `operation/operation.ts`, `server/api/operation/`, `server/nowhere` and `nowhere/operation.ts`.';
  expect(deadPaths(text)).toEqual(['server/nowhere', 'nowhere/operation.ts']);
});

const pages = files.filter((file) => /^(?:docs\/.*|CONTRIBUTING|README|SECURITY)\.md$/.test(file));

test.each(pages)('%s names files that exist', (page) => {
  expect(deadPaths(readFileSync(page, 'utf8'))).toEqual([]);
});
