// `npm run docs:env`: writes the table of variables into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { variablesTable } from '../server/env';

const readme = readFileSync('README.md', 'utf8');
const table = `<!-- env:start -->\n${variablesTable()}\n<!-- env:end -->`;
writeFileSync(
  'README.md',
  readme.replace(/<!-- env:start -->[\s\S]*<!-- env:end -->/, () => table),
);
