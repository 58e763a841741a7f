// What the workflow of a release does with images beside building them. It needs docker with buildx, cosign, and a
// registry that takes images.
//   node scripts/release/images.mjs names                          outputs for the workflow: version and name of the image
//   node scripts/release/images.mjs attest <image@digest> <file>   takes the bill of materials out of an image, and signs it for that image
//   node scripts/release/images.mjs index <image> <version>        joins the images of all architectures under one tag, and signs it
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../step.mjs';

/** Files that are published with the release. */
const FOLDER = path.join(root, 'release');
const DIGEST = '.digest';

/**
 * @param {string} program
 * @param {string[]} words
 */
const output = (program, ...words) =>
  execFileSync(program, words, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** @type {Record<string, (...words: string[]) => void>} */
const COMMANDS = {
  names() {
    const { REGISTRY, GITHUB_REPOSITORY } = process.env;
    if (!REGISTRY || !GITHUB_REPOSITORY) throw new Error('The variable REGISTRY of the repository names no registry.');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    // Names of images have no capitals.
    process.stdout.write(`version=${version}\nimage=${`${REGISTRY}/${GITHUB_REPOSITORY}`.toLowerCase()}\n`);
  },

  attest(image = '', name = '') {
    const container = output('docker', 'create', image);
    output('docker', 'cp', `${container}:/weft/sbom.cdx.json`, `${name}.cdx.json`);
    output('docker', 'cp', `${container}:/weft/third-party-licenses.txt`, `${name}.licenses.txt`);
    output('docker', 'rm', container);
    output('cosign', 'attest', '--yes', '--type', 'cyclonedx', '--predicate', `${name}.cdx.json`, image);
    writeFileSync(path.join(FOLDER, `${name}${DIGEST}`), image);
  },

  index(image = '', version = '') {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(DIGEST));
    const images = files.map((file) => readFileSync(path.join(FOLDER, file), 'utf8'));
    const tagged = `${image}:${version}`;
    output('docker', 'buildx', 'imagetools', 'create', '--tag', tagged, ...images);
    const { digest } = JSON.parse(
      output('docker', 'buildx', 'imagetools', 'inspect', tagged, '--format', '{{json .Manifest}}'),
    );
    // The index, and the image of each architecture in it.
    output('cosign', 'sign', '--yes', '--recursive', `${image}@${digest}`);
    writeFileSync(path.join(FOLDER, 'IMAGE'), `${tagged}@${digest}\n`);
    for (const file of files) rmSync(path.join(FOLDER, file));
  },
};

const [command = '', ...words] = process.argv.slice(2);
const work = COMMANDS[command];
if (!work) throw new Error(`Usage: node scripts/release/images.mjs ${Object.keys(COMMANDS).join(' | ')}`);
mkdirSync(FOLDER, { recursive: true });
work(...words);
