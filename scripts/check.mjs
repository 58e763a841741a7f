// `npm run check`: everything about the code that can be said without running it.
import './node-version.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from './build.mjs';
import { install } from './install.mjs';
import { CommandFailed, bin, root, run } from './step.mjs';

/** @type {Record<string, string[]>} */
const CHECKS = {
  types: [bin('typescript/bin/tsc'), '--noEmit'],
  lint: [bin('oxlint/bin/oxlint')],
  format: [bin('oxfmt/bin/oxfmt'), '--check'],
  'unused code': [bin('knip/bin/knip.js')],
  'API description': ['--import', 'tsx', 'scripts/check-openapi.ts'],
  migrations: ['--import', 'tsx', 'scripts/check-migrations.ts'],
};

/**
 * Says line by line what is right and what isn't; answers the names of the checks that failed.
 *
 * @returns {Promise<string[]>}
 */
export async function check() {
  await install();
  await generate();
  // Next's own types, which a build leaves as well.
  if (!existsSync(path.join(root, 'next-env.d.ts')))
    await run(process.execPath, [bin('next/dist/bin/next'), 'typegen']);
  const results = await Promise.all(
    Object.entries(CHECKS).map(async ([name, args]) => {
      const begin = performance.now();
      const failure = await run(process.execPath, args).then(
        () => '',
        (error) => (error instanceof CommandFailed ? error.output : String(error.stack)),
      );
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      process.stdout.write(failure ? `✗ ${name}, ${seconds} s\n${failure}\n` : `✓ ${name}, ${seconds} s\n`);
      return failure ? [name] : [];
    }),
  );
  return results.flat();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await check()).length > 0 ? 1 : 0;
}
