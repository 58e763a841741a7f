import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../step.mjs';

/**
 * The bill of materials (CycloneDX 1.5) of the packages below `<folder>/node_modules` and in the bundle of the
 * evaluator, with versions, hashes and licences from package-lock.json. Programs of the base image are not in it.
 *
 * @param {string} folder
 */
export function sbomOf(folder) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const service = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const bundled = new Set(JSON.parse(readFileSync(path.join(folder, 'dist/evaluator-packages.json'), 'utf8')));
  const components = Object.entries(lock.packages)
    .filter(([place]) => place !== '' && (bundled.has(place) || present(path.join(folder, place))))
    .map(([place, facts]) => component(place, facts));
  const unique = [...new Map(components.map((one) => [one['bom-ref'], one])).values()];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: service.name, version: service.version } },
    components: unique,
  };
}

/** @param {string} place */
function present(place) {
  try {
    return readdirSync(place).length > 0;
  } catch {
    return false;
  }
}

/**
 * @param {string} place
 * @param {{ name?: string; version: string; license?: string; integrity?: string }} facts
 */
function component(place, { name = place.split('node_modules/').at(-1) ?? '', version, license, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, digest = ''] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license ? { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { name: license } }] } : {}),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  };
}
