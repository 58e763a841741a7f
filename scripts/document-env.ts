// `npm run docs:env`: writes the table of variables into docs/operate/configuration.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { variablesMarkdownTable } from '../server/platform/env/env';

const PAGE = 'docs/operate/configuration.md';
const page = readFileSync(PAGE, 'utf8');
const table = `<!-- env:start -->\n${variablesMarkdownTable()}\n<!-- env:end -->`;
writeFileSync(
  PAGE,
  page.replace(/<!-- env:start -->[\s\S]*<!-- env:end -->/, () => table),
);
