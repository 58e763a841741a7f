import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './step.mjs';

/**
 * @typedef {{ test: string, isUnstable: boolean, error: string }} Problem A test that failed. It is unstable if it
 *   passed
 *   at its second try: a fault of the test or of the product, to be found and repaired.
 * @typedef {{ passed: number, failed: number, problems: Problem[] }} Results
 */

/**
 * A test that has passed with an error has failed at its first try.
 *
 * @param {any} report
 * @returns {Results}
 */
export function readVitestResults({ numPassedTests, numFailedTests, testResults }) {
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    problems: testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
      assertionResults
        .filter((/** @type {any} */ { failureMessages }) => failureMessages.length > 0)
        .map((/** @type {any} */ { status, fullName, failureMessages }) => ({
          test: `${path.relative(root, name).replace(/^dist-tests\/[^/]+\/(.*)\.mjs$/, '$1')} > ${fullName}`,
          isUnstable: status === 'passed',
          error: brief(failureMessages[0]),
        })),
    ),
  };
}

/**
 * @param {any} report
 * @returns {Results}
 */
export function readPlaywrightResults({ stats, suites }) {
  /** @type {(suite: any) => Problem[]} */
  const problemsIn = ({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap((/** @type {any} */ { file, title, tests }) =>
      tests
        .filter((/** @type {any} */ { status }) => status === 'flaky' || status === 'unexpected')
        .map((/** @type {any} */ { status, results }) => ({
          test: `e2e/${file} > ${title}`,
          isUnstable: status === 'flaky',
          error: brief(results.find((/** @type {any} */ { error }) => error)?.error.stack),
        })),
    ),
    ...inner.flatMap(problemsIn),
  ];
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, problems: suites.flatMap(problemsIn) };
}

/**
 * The beginning of an error: its message and the first places.
 *
 * @param {string} text
 */
function brief(text = 'no error was reported') {
  return stripVTControlCharacters(text).split('\n').slice(0, 20).join('\n');
}
