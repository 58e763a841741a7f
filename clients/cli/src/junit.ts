import type { Schemas } from '@weft/client';

/** A test with its result, as a line of a report. */
export interface JunitTestCase {
  name: string;
  seconds: number;
  result: Schemas['TestResult'];
}

/** The tests of one workflow. */
export interface JunitTestSuite {
  name: string;
  cases: JunitTestCase[];
}

const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text for XML 1.0, which has no place for most control characters. */
const escapeXmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\x20-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character);

const formatTestValue = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Describes an expectation that was not fulfilled, in one line. */
export const expectationSentence = ({ nodeId, message, expected, actual }: Schemas['TestFailure']): string =>
  `${nodeId === null ? '' : `${nodeId}: `}${message} Expected ${formatTestValue(expected)}, got ${formatTestValue(actual)}`;

const isFailedCase = ({ result }: JunitTestCase): boolean => result.status !== 'passed';

function testCaseXml(suite: string, one: JunitTestCase): string {
  const head = `<testcase classname="${escapeXmlText(suite)}" name="${escapeXmlText(one.name)}" time="${one.seconds.toFixed(3)}"`;
  if (!isFailedCase(one)) return `    ${head}/>\n`;
  const { failures, status } = one.result;
  const text = status === 'running' ? 'The test has not ended in time.' : failures.map(expectationSentence).join('\n');
  const [first = ''] = text.split('\n');
  return `    ${head}>\n      <failure message="${escapeXmlText(first)}">${escapeXmlText(text)}</failure>\n    </testcase>\n`;
}

/** Results as JUnit XML, the format that CI systems read. */
export function formatJunitXml(suites: JunitTestSuite[]): string {
  const parts = suites.map(({ name, cases }) => {
    const seconds = cases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
    const counts = `tests="${cases.length}" failures="${cases.filter(isFailedCase).length}" errors="0" time="${seconds}"`;
    return `  <testsuite name="${escapeXmlText(name)}" ${counts}>\n${cases.map((one) => testCaseXml(name, one)).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${parts.join('')}</testsuites>\n`;
}
