// Exported names must be found by a search: the check `names` of `npm run check`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { root } from './step.mjs';

const FOLDERS = ['server', 'components', 'contract', 'clients', 'import'];
/** Tests, and the names of the published client, which its users know. */
const NOT_CHECKED = /\.d\.ts$|\.(?:test|spec)\.|(?:^|\/)(?:testing|generated)\/|^clients\/typescript\/src\//;
const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type|abstract class) (\w+)/gm;

/**
 * Names that two files export on purpose, and single words that are the whole name of a thing, each with its reason.
 */
const EXCEPTIONS = new Map([
  ['Timestamp', 'the schema of every time in the contract'],
  ['html', 'editors and formatters recognise the tag of templates by this name'],
  ['Runtime', 'an interface that modules extend by declaration merging'],
]);

const files = execFileSync('git', ['-C', root, 'ls-files', '-co', '--exclude-standard', ...FOLDERS], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !NOT_CHECKED.test(file) && existsSync(`${root}/${file}`));

/** @type {Map<string, Set<string>>} */
const filesByName = new Map();
for (const file of files)
  for (const [, name = ''] of readFileSync(`${root}/${file}`, 'utf8').matchAll(EXPORT))
    filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));

/** A name of one word: `list`, `Row`, `LIMIT`. Components are named like what a person sees, which may be one word. */
const isSingleWord = (name) => /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)$/.test(name);

/** @type {string[]} */
const complaints = [];
for (const [name, places] of filesByName) {
  const list = [...places];
  if (name.endsWith('Of')) complaints.push(`${list[0]}: ${name} ends in Of: a verb and a noun say more`);
  if (EXCEPTIONS.has(name)) continue;
  if (list.length > 1) complaints.push(`${name} is exported by ${list.join(', ')}`);
  if (isSingleWord(name) && !list.every((file) => file.endsWith('.tsx')))
    complaints.push(`${list[0]}: ${name} is a single word: a search finds it everywhere`);
}
for (const name of EXCEPTIONS.keys())
  if (!filesByName.has(name)) complaints.push(`${name} is an exception, and no file exports it`);

if (complaints.length > 0) {
  process.stdout.write(`${complaints.toSorted().join('\n')}\n`);
  process.exitCode = 1;
}
