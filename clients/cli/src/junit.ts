import type { Schemas } from '@weft/client';

/** A test with its result, as a line of a report. */
export interface TestCase {
  name: string;
  seconds: number;
  result: Schemas['TestResult'];
}

/** The tests of one workflow. */
export interface TestSuite {
  name: string;
  cases: TestCase[];
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text for XML 1.0, which has no place for most control characters. */
const escape = (text: string): string =>
  text
    .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const valueOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** An expectation that was not fulfilled, in a line. */
export const sentenceOf = ({ nodeId, message, expected, actual }: Schemas['TestFailure']): string =>
  `${nodeId === null ? '' : `${nodeId}: `}${message} Expected ${valueOf(expected)}, got ${valueOf(actual)}`;

const hasFailed = ({ result }: TestCase): boolean => result.status !== 'passed';

function caseXml(suite: string, one: TestCase): string {
  const head = `<testcase classname="${escape(suite)}" name="${escape(one.name)}" time="${one.seconds.toFixed(3)}"`;
  if (!hasFailed(one)) return `    ${head}/>\n`;
  const { failures, status } = one.result;
  const text = status === 'running' ? 'The test has not ended in time.' : failures.map(sentenceOf).join('\n');
  const [first = ''] = text.split('\n');
  return `    ${head}>\n      <failure message="${escape(first)}">${escape(text)}</failure>\n    </testcase>\n`;
}

/** Results as JUnit XML, the format that CI systems read. */
export function junitXml(suites: TestSuite[]): string {
  const parts = suites.map(({ name, cases }) => {
    const seconds = cases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
    const counts = `tests="${cases.length}" failures="${cases.filter(hasFailed).length}" errors="0" time="${seconds}"`;
    return `  <testsuite name="${escape(name)}" ${counts}>\n${cases.map((one) => caseXml(name, one)).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join('')}</testsuites>\n`;
}
