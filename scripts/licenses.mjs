// `npm run licenses`: writes docs/licenses.md. With `--check`: fails if the page is out of date, or if a package has a
// licence that is neither permitted nor named here with a reason.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './step.mjs';

const PAGE = path.join(root, 'docs/licenses.md');

/** Licences by which a package may become part of the service without further thought. */
const PERMITTED = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'CC-BY-4.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'PSF-2.0',
]);

/**
 * Packages with other licences, or with none in their description.
 *
 * @type {[name: RegExp, licence: string, reason: string][]}
 */
const NAMED = [
  [/^elkjs$/, 'EPL-2.0', 'arranges the nodes of the canvas; used unchanged'],
  [
    /^@img\/sharp/,
    'LGPL-3.0-or-later',
    'optional part of Next.js with the library libvips, which is not called and not part of images',
  ],
  [/^lightningcss/, 'MPL-2.0', 'used by the tests’ build only'],
  [/^axe-core$/, 'MPL-2.0', 'used by tests only'],
  [/^seq-queue$/, 'MIT', 'says so in its file LICENSE'],
  [
    /^(ssh2|cpu-features|buildcheck|busboy|streamsearch|xmlhttprequest-ssl)$/,
    'MIT',
    'says so in an older form of its description',
  ],
  [/^(only|humanize-number)$/, 'none', 'dependencies of a tool of tests, never passed on'],
];

/**
 * @typedef {{ place: string; name: string; version: string; licence: string | undefined; isShipped: boolean;
 *   isPlatform: boolean }} Package
 * `place`: its folder below the root. `isShipped`: part of the service, and not only of its build and tests.
 * `isPlatform`: installed on some systems only.
 */

/** @returns {Package[]} */
export function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([place, facts]) => {
    if (!place.includes('node_modules/') || facts.link) return [];
    const name = place.split('node_modules/').at(-1) ?? '';
    return [
      {
        place,
        name,
        version: facts.version,
        licence: facts.license ?? namedReason(name)?.[1],
        isShipped: !facts.dev && !facts.devOptional,
        isPlatform: Boolean(facts.optional),
      },
    ];
  });
}

/**
 * Whether one of the alternatives of an expression has permitted licences only.
 *
 * @param {string} licence
 * @param {string} [agreed] one that is permitted for this package besides
 */
export const isPermitted = (licence, agreed) =>
  licence
    .replace(/[()]/g, '')
    .split(/ or /i)
    .some((alternative) =>
      alternative.split(/ and /i).every((one) => PERMITTED.has(one.trim()) || one.trim() === agreed),
    );

/** Optional parts of Next.js that images leave out (scripts/image/collect.mjs). */
const NOT_IN_IMAGES = /^(@img\/|sharp$|@next\/swc)/;

/** @param {string} name */
const namedReason = (name) => NAMED.find(([pattern]) => pattern.test(name));

/**
 * Packages whose licence nobody has agreed to. A package for another system has no description here; the same licence
 * as that of its family.
 *
 * @param {Package[]} packages
 */
export const refusedPackages = (packages) => {
  const families = new Set(packages.flatMap(({ name, licence }) => (licence ? [name.replace(/(-|\/).*$/, '')] : [])));
  return packages.filter(({ name, licence, isPlatform }) =>
    licence === undefined
      ? !isPlatform || !families.has(name.replace(/(-|\/).*$/, ''))
      : !isPermitted(licence, namedReason(name)?.[1]),
  );
};

/** The page with all packages that are part of the service. */
export function licencesPage() {
  const shipped = lockedPackages().filter(({ name, isShipped }) => isShipped && !NOT_IN_IMAGES.test(name));
  const sections = [...groupByLicence(shipped)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([licence, packages]) => {
      const names = [...new Set(packages.map(({ name, version }) => `${name} ${version}`))].toSorted();
      return `### ${licence}\n\n${names.join(', ')}`;
    });
  const reasons = NAMED.map(([pattern, licence, reason]) => `| ${namesLike(pattern)} | ${licence} | ${reason} |`);
  return `# Third-party licences

Weft is licensed under the Apache License 2.0 (\`LICENSE\`). It contains the packages below, each under its own licence. An image has the texts
of these licences in \`third-party-licenses.txt\`, and the packages with their hashes in \`sbom.cdx.json\`. This page is written by \`npm run licenses\`; a check compares
it with \`package-lock.json\`, and refuses a package whose licence is not in the list of permitted ones: ${[...PERMITTED].join(', ')}.

## Permitted by name

| Package | Licence | Why |
|---|---|---|
${reasons.join('\n')}

## Packages

${sections.join('\n\n')}
`;
}

/** @param {RegExp} pattern */
const namesLike = (pattern) =>
  [...new Set(lockedPackages().map(({ name }) => name))]
    .filter((name) => pattern.test(name))
    .toSorted()
    .join(', ');

/** @param {Package[]} packages */
function groupByLicence(packages) {
  /** @type {Map<string, Package[]>} */
  const groups = new Map();
  for (const one of packages) {
    if (one.licence !== undefined) groups.set(one.licence, [...(groups.get(one.licence) ?? []), one]);
  }
  return groups;
}

/**
 * The texts of the licences of all packages that are part of the service and installed here, each text once after the
 * names of its packages.
 */
export function licenceTexts() {
  /** @type {Map<string, Set<string>>} */
  const byText = new Map();
  for (const { place, name, isShipped } of lockedPackages()) {
    const folder = path.join(root, place);
    if (!isShipped || NOT_IN_IMAGES.test(name) || !existsSync(folder)) continue;
    for (const file of readdirSync(folder).filter((one) => /^(licen[cs]e|copying|notice)/i.test(one))) {
      const text = readFileSync(path.join(folder, file), 'utf8').trim();
      byText.set(text, (byText.get(text) ?? new Set()).add(name));
    }
  }
  return [...byText].map(([text, names]) => `${[...names].join(', ')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const page = licencesPage();
  const refused = refusedPackages(lockedPackages());
  for (const { name, version, licence = 'no licence' } of refused)
    process.stderr.write(`${name} ${version}: ${licence} is not permitted (scripts/licenses.mjs).\n`);
  if (refused.length > 0) process.exitCode = 1;
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page) {
    process.stderr.write('docs/licenses.md is out of date: npm run licenses\n');
    process.exitCode = 1;
  }
}
