import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../step.mjs';

export const CHART = path.join(root, 'deploy/helm/weft');
export const EXAMPLES = path.join(root, 'deploy/helm/examples');
export const EXAMPLE_NAMES = ['small', 'full'];

/**
 * The hash of everything that an example is rendered from. A rendered file holds it, so that one of an earlier chart is noticed without Helm.
 *
 * @param {string} name of the example
 */
export function fingerprintOf(name) {
  const files = readdirSync(CHART, { recursive: true, encoding: 'utf8' })
    .filter((file) => file !== 'README.md' && statSync(path.join(CHART, file)).isFile())
    .sort()
    .map((file) => path.join(CHART, file));
  const hash = createHash('sha256');
  for (const file of [...files, path.join(EXAMPLES, `${name}.values.yaml`)]) {
    hash.update(`\0${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The objects in a text that Helm has rendered.
 *
 * @param {string} text
 * @returns {{ kind: string; apiVersion: string; metadata: { name: string }; [part: string]: unknown }[]}
 */
export function manifestsOf(text) {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return [];
  for (const { errors } of documents) if (errors[0]) throw errors[0];
  return documents.map((document) => document.toJS()).filter((object) => object !== null);
}
