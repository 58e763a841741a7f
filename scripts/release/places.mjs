// What package.json says about a release (version, contact for security, versions of Node.js), and the files that
// repeat it because they are read where package.json is not: by npm in the packages of the clients, by Helm, by
// builders of images, by people. The release command writes these files, and `node scripts/check.mjs release` refuses
// one that differs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { stampExamples } from '../../deploy/scripts/helm.mjs';
import { root } from '../step.mjs';

/**
 * @typedef {{ version: string, contact: string, nodes: string[] }} Facts
 * @typedef {{ file: string, stated: (text: string, facts: Facts) => string }} Place A file, and what it has to be.
 */

/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** @returns {Facts} */
export function releaseFacts() {
  const { version, weft } = JSON.parse(read('package.json'));
  return { version, contact: weft.securityContact, nodes: weft.nodeVersions };
}

/** The version of Node.js that images have and pages recommend. @param {Facts} facts */
export const recommendedNode = ({ nodes }) => nodes.at(-1) ?? '';

/** Whether a text is an address as `Contact` of RFC 9116 takes it. @param {string} contact */
export const isContact = (contact) =>
  /^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(contact) && URL.canParse(contact);

/** @param {(json: any, facts: Facts) => void} change */
const inJson = (change) => (/** @type {string} */ text, /** @type {Facts} */ facts) => {
  const json = JSON.parse(text);
  change(json, facts);
  return `${JSON.stringify(json, null, 2)}\n`;
};

/** @type {Place[]} */
export const PLACES = [
  {
    file: 'package-lock.json',
    stated: inJson((lock, { version }) => {
      lock.version = version;
      lock.packages[''].version = version;
    }),
  },
  {
    // npm publishes the file as it is.
    file: 'clients/typescript/package.json',
    stated: inJson((manifest, { version }) => {
      manifest.version = version;
    }),
  },
  {
    file: 'clients/cli/package.json',
    stated: inJson((manifest, { version }) => {
      manifest.version = version;
      manifest.dependencies['@weft/client'] = version;
    }),
  },
  { file: 'deploy/helm/weft/Chart.yaml', stated: chartStated },
  {
    file: 'deploy/helm/weft/README.md',
    stated: (text, { version }) => text.replaceAll(/\bweft:\d+\.\d+\.\d+(?:-[\w.]*\w)?/g, `weft:${version}`),
  },
  {
    // A Dockerfile reads no other file.
    file: 'deploy/Dockerfile',
    stated: (text, facts) =>
      text
        .replace(/^ARG VERSION=.*$/m, `ARG VERSION=${facts.version}`)
        .replace(/^(ARG BASE=\S+:)\d+(-\S+)$/m, `$1${recommendedNode(facts)}$2`),
  },
  { file: '.nvmrc', stated: (_, facts) => `${recommendedNode(facts)}\n` },
  { file: 'CONTRIBUTING.md', stated: recommendedStated },
  { file: 'docs/operate/upgrade.md', stated: recommendedStated },
  {
    file: 'SECURITY.md',
    stated: (text, { contact }) =>
      text.replace(
        /<!-- contact:start -->[\s\S]*<!-- contact:end -->/,
        () => `<!-- contact:start -->\n${contactStated(contact)}\n<!-- contact:end -->`,
      ),
  },
];

/** @type {Place['stated']} */
function recommendedStated(text, facts) {
  return text.replaceAll(/\b\d\d is recommended/g, `${recommendedNode(facts)} is recommended`);
}

/** @type {Place['stated']} */
function chartStated(text, { version, contact }) {
  const chart = parseDocument(text);
  chart.set('version', version);
  chart.set('appVersion', version);
  const links = ['annotations', 'artifacthub.io/links'];
  if (contact) chart.setIn(links, `- name: Report a vulnerability\n  url: ${contact}\n`);
  else chart.deleteIn(links);
  return chart.toString({ lineWidth: 0 });
}

/** @param {string} contact */
function contactStated(contact) {
  return contact
    ? `Please report vulnerabilities in private: <${contact.replace(/^mailto:/, '')}>.`
    : 'Please report vulnerabilities in private. The owner of the project sets the contact in `package.json` (`weft.securityContact`)\nbefore anything is published; until then there is none, and `npm run release` refuses to make a release.';
}

/** The files that do not say what package.json says. @returns {string[]} */
export function findWrongPlaces() {
  const facts = releaseFacts();
  return PLACES.filter(({ file, stated }) => read(file) !== stated(read(file), facts)).map(({ file }) => file);
}

/** Writes what package.json says into all places. */
export function writePlaces() {
  const facts = releaseFacts();
  for (const { file, stated } of PLACES) writeFileSync(path.join(root, file), stated(read(file), facts));
  stampExamples(facts.version);
}

/** A name of this project with a version, as in `weft:1.2.3`, `weft-1.2.3.tgz` and `@weft/cli@1.2.3`. */
const NAMED = /(?:\bweft|@weft\/\w+)[:@-]v?(\d+\.\d+\.\d+)/g;
const FOLDERS = ['clients', 'deploy', 'docs', 'examples'];

/**
 * Other versions beside the name of the project, in pages and in files of deployments that nobody has listed. @returns
 * {string[]}
 */
export function findForeignVersions() {
  const core = releaseFacts().version.replace(/-.*/, '');
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  );
  return [...inFolders, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
    .filter((file) => /(?:\.(?:md|ya?ml|tpl|service)|Dockerfile)$/.test(file) && !/node_modules|\bdist\b/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(NAMED)].filter(([, found]) => found !== core).map(([text]) => `${file}: ${text}`),
    );
}
