import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './step.mjs';

/** @typedef {'unit' | 'dom' | 'isolated' | 'service' | 'process' | 'growth'} Tier A project of vitest.config.ts. */
/** @typedef {{ file: string, tier: Tier, text: string }} TestFile */

const FOLDERS = ['contract', 'app', 'server', 'components', 'import', 'scripts', 'deploy', 'prisma', 'clients'];

/** Tests that measure processor time: other work on the machine would be measured with them. */
const MEASURES = /^server\/testing\/growth\//;

/** Imports of a test file that starts, kills or freezes processes. */
const STARTS_PROCESSES =
  /from '(?:node:child_process|@\/server\/testing\/(?:cluster|processes\/[\w-]+|parties\/(?:redis|mariadb|dovecot|sshd|proftpd|pgbouncer))|\.\/(?:chaos|embedded))'/;

/** Imports of a test file that needs a database or the evaluator's processes. */
const NEEDS_SERVICES = /from '(?:@\/server\/testing\/(?:database|evaluation)|@\/scripts\/build\.mjs|\.\/database)'/;

/** What a unit test does that others in its worker would see: it replaces modules. */
const NEEDS_ISOLATION = /\bvi\.mock\(/;

/** Unit tests with a browser's globals. */
const NEEDS_DOM = /^\/\/ @vitest-environment happy-dom/;

/**
 * The tier of a test file follows from what it imports.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Tier}
 */
function classifyTest(file, text) {
  if (MEASURES.test(file)) return 'growth';
  if (STARTS_PROCESSES.test(text)) return 'process';
  if (NEEDS_SERVICES.test(text)) return 'service';
  if (NEEDS_ISOLATION.test(text)) return 'isolated';
  return NEEDS_DOM.test(text) ? 'dom' : 'unit';
}

/**
 * All test files for Vitest, with their paths from the root.
 *
 * @returns {TestFile[]}
 */
export function findTestFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => {
        const file = path.posix.join(folder, name);
        const text = readFileSync(path.join(root, file), 'utf8');
        return { file, text, tier: classifyTest(file, text) };
      }),
  );
}
