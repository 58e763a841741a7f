// `npm run test:node -- [<version>] [<tier> …]`: tests with another version of Node.js, from the npm registry; without
// a version, with each that package.json names. Without a tier, the unit tests. It builds anew, as the build belongs to
// a version.
import './node-version.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchNode } from './node-binary.mjs';
import { releaseFacts } from './release/places.mjs';
import { say, show } from './step.mjs';

const words = process.argv.slice(2);
const versions = /^\d/.test(words[0] ?? '') ? words.splice(0, 1) : releaseFacts().nodes;
const tiers = words.length > 0 ? words : ['unit'];
const failed = [];
for (const version of versions) {
  const folder = mkdtempSync(path.join(tmpdir(), 'weft-node-'));
  try {
    const node = await fetchNode(version, folder);
    for (const tier of tiers) {
      say(`Node.js ${version}: ${tier}`);
      const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`;
      if ((await show(node, ['scripts/test.mjs', tier], { PATH })) !== 0) failed.push(`${tier} with ${version}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}`);
