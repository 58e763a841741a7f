// `npm run docs:limits`: writes the table of docs/limits.md from the constants that enforce the limits. With `--check`:
// fails if it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { CHANNEL, FILES, REQUESTS, TRIGGERS, WORKSPACE } from './limits/calls';
import type { Subject } from './limits/limit';
import { CREDENTIALS, EXPRESSIONS, RUNS, WORKFLOWS } from './limits/runs';
import { OUTGOING, SERVICES, TABLES } from './limits/services';

const PAGE = 'docs/limits.md';
const SUBJECTS: Subject[] = [
  REQUESTS,
  TRIGGERS,
  FILES,
  WORKFLOWS,
  RUNS,
  EXPRESSIONS,
  SERVICES,
  TABLES,
  CREDENTIALS,
  OUTGOING,
  CHANNEL,
  WORKSPACE,
];

const rows = SUBJECTS.flatMap(([subject, limits]) =>
  limits.map(({ limit, value, by = 'fixed', beyond }) => `| ${subject} | ${limit} | ${value} | ${by} | ${beyond} |`),
);
const table = ['| Subject | Limit | Value | Who can change it | Beyond it |', '|---|---|---|---|---|', ...rows].join(
  '\n',
);

const page = readFileSync(PAGE, 'utf8');
const written = page.replace(
  /<!-- limits:start -->[\s\S]*<!-- limits:end -->/,
  () => `<!-- limits:start -->\n${table}\n<!-- limits:end -->`,
);
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (page !== written) {
  process.stderr.write(`${PAGE} is out of date: npm run docs:limits\n`);
  process.exitCode = 1;
}
