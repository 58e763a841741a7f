import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../step.mjs';

export const CHANGELOG = path.join(root, 'CHANGELOG.md');
/** Nobody reads more about one version. */
export const MAX_LINES = 200;

const UNRELEASED = 'Unreleased';

/**
 * The text below the heading of a version, without empty lines around it; undefined without such a heading.
 *
 * @param {string} changelog
 * @param {string} version or `Unreleased`
 */
export function sectionOf(changelog, version = UNRELEASED) {
  const lines = changelog.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (begin < 0) return undefined;
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  return lines
    .slice(begin + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/** The lines of a section, empty ones between its entries included. @param {string} section */
const lineCount = (section) => (section === '' ? 0 : section.split('\n').length);

/**
 * What is wrong with the sections of a change log.
 *
 * @param {string} changelog
 * @returns {string[]}
 */
export function findChangelogFaults(changelog) {
  const versions = [...changelog.matchAll(/^## \[([^\]]+)\](.*)$/gm)];
  const long = versions.flatMap(([, version = '']) => {
    const lines = lineCount(sectionOf(changelog, version) ?? '');
    return lines > MAX_LINES ? [`CHANGELOG.md: [${version}] has ${lines} lines, more than ${MAX_LINES}`] : [];
  });
  if (versions[0]?.[1] !== UNRELEASED) long.push(`CHANGELOG.md: the first section must be [${UNRELEASED}]`);
  return long;
}

/**
 * The change log in which what was unreleased belongs to a version. Throws if there is nothing to release.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as 2026-01-31
 */
export function releaseSection(changelog, version, date) {
  if (!sectionOf(changelog)) throw new Error(`CHANGELOG.md has no entries under [${UNRELEASED}]`);
  if (sectionOf(changelog, version) !== undefined) throw new Error(`CHANGELOG.md has a section [${version}] already`);
  return changelog.replace(`## [${UNRELEASED}]\n`, `## [${UNRELEASED}]\n\n## [${version}] - ${date}\n`);
}

/**
 * The notes of a release: its section, with links into the repository as plain names, because notes are read elsewhere.
 *
 * @param {string} version
 */
export function releaseNotes(version) {
  const section = sectionOf(readFileSync(CHANGELOG, 'utf8'), version);
  if (!section) throw new Error(`CHANGELOG.md has no section [${version}]`);
  return `# Weft ${version}\n\n${section.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')}\n`;
}
