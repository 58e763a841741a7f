// `npm run check`: all static checks. `npm run lint` and similar commands: one of them.
import './node-version.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from './build.mjs';
import { install } from './install.mjs';
import { CommandFailed, bin, root, run, say } from './step.mjs';

/** @type {Record<string, string[]>} */
const CHECKS = {
  // Several checkers would each work out the types that they share: two of them take a third more processor time.
  types: [bin('typescript/bin/tsc'), '--noEmit', '--checkers', '1'],
  clients: ['scripts/clients.mjs', '--check'],
  lint: [bin('oxlint/bin/oxlint'), '-c', 'oxlint.config.mjs'],
  format: [bin('oxfmt/bin/oxfmt'), '--check'],
  'unused code': [bin('knip/bin/knip.js')],
  'API description': ['--import', 'tsx', 'scripts/check-openapi.ts'],
  names: ['scripts/check-names.mjs'],
  licences: ['scripts/licenses.mjs', '--check'],
  release: ['scripts/release/check.mjs'],
  limits: ['--import', 'tsx', 'scripts/document-limits.ts', '--check'],
  migrations: ['--import', 'tsx', 'scripts/check-migrations.ts'],
};

/**
 * The compiler is a Go program: rarer garbage collections save a sixth of its processor time for a fifth more memory.
 */
const ENVIRONMENT = { GOGC: '400' };

/** Checks that read types written by a build, and therefore must not run concurrently with a build. */
export const AFTER_BUILD = ['types'];
export const WITHOUT_BUILD = Object.keys(CHECKS).filter((name) => !AFTER_BUILD.includes(name));

/**
 * Prints the result of each check; returns the names of the failed checks.
 *
 * @param {string[]} names
 * @returns {Promise<string[]>}
 */
export async function check(names = Object.keys(CHECKS)) {
  // Next.js types, which a build also generates.
  if (names.includes('types') && !existsSync(path.join(root, 'next-env.d.ts')))
    await run(process.execPath, [bin('next/dist/bin/next'), 'typegen']);
  const results = await Promise.all(
    names.map(async (name) => {
      const begin = performance.now();
      const failure = await run(process.execPath, CHECKS[name] ?? [], ENVIRONMENT).then(
        () => '',
        (error) => (error instanceof CommandFailed ? error.output : String(error.stack)),
      );
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      say(failure ? `✗ ${name}, ${seconds} s\n${failure}` : `✓ ${name}, ${seconds} s`);
      return failure ? [name] : [];
    }),
  );
  return results.flat();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await install();
  await generate();
  const names = process.argv.slice(2);
  process.exitCode = (await check(names.length > 0 ? names : undefined)).length > 0 ? 1 : 0;
}
