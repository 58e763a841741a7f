// `npm run release:check`: whether all files say what package.json says about a release, and the change log is as it
// should be. `-- --write` writes these files; `-- --tag v1.2.3`, in the workflow of a release: whether this is the
// release of that tag, and can be published.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGELOG, findChangelogFaults, sectionOf } from './changelog.mjs';
import { findForeignVersions, findWrongPlaces, isContact, releaseFacts, writePlaces } from './places.mjs';

/** What prevents that a release is published. @returns {string[]} */
export function findPublishingFaults() {
  const { contact } = releaseFacts();
  return isContact(contact)
    ? []
    : [
        'package.json: weft.securityContact is missing. Set it to where vulnerabilities are reported, as mailto:… or https://…, then npm run release:check -- --write.',
      ];
}

/** @returns {string[]} */
export function findReleaseFaults() {
  const { contact } = releaseFacts();
  return [
    ...findWrongPlaces().map((file) => `${file} differs from package.json: npm run release:check -- --write`),
    ...findForeignVersions(),
    ...(contact === '' || isContact(contact)
      ? []
      : ['package.json: weft.securityContact must begin with mailto:, https:// or tel:']),
    ...findChangelogFaults(readFileSync(CHANGELOG, 'utf8')),
  ];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { tag, write } = parseArgs({ options: { tag: { type: 'string' }, write: { type: 'boolean' } } }).values;
  if (write) writePlaces();
  const faults = findReleaseFaults();
  if (tag !== undefined) {
    const { version } = releaseFacts();
    if (tag !== `v${version}`) faults.push(`The tag ${tag} is not that of version ${version} in package.json`);
    if (!sectionOf(readFileSync(CHANGELOG, 'utf8'), version)) faults.push(`CHANGELOG.md has no section [${version}]`);
    faults.push(...findPublishingFaults());
  }
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
