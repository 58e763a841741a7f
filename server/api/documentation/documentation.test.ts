import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { builtInConnectors } from '@/server/connectors';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { CONNECTOR_PAGES_PREFIX, documentationFilePages, NODE_PAGES_PREFIX } from './contents';
import { readDocumentationMarkdown, readDocumentationPage, documentationSections } from '.';
import { resolveDocumentLink, renderMarkdown } from './render';

const listed = documentationSections().flatMap(({ pages }) => pages.map((page) => page.path));

it('lists every file of docs, every node type and every connector', () => {
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md') && !file.startsWith('decisions/0'),
  );
  expect(documentationFilePages.map(({ file }) => file)).toEqual(
    expect.arrayContaining(files.map((file) => `docs/${file}`)),
  );
  expect(listed).toEqual(expect.arrayContaining(listPublicNodeTypes().map(({ type }) => NODE_PAGES_PREFIX + type)));
  expect(listed).toEqual(expect.arrayContaining(builtInConnectors.map(({ id }) => CONNECTOR_PAGES_PREFIX + id)));
  expect(new Set(listed).size).toBe(listed.length);
});

it('has no link that leads nowhere', async () => {
  const decisions = readdirSync('docs/decisions').map((file) => `decisions/${file.replace(/\.md$/, '')}`);
  const paths = [...listed, ...decisions.filter((one) => one !== 'decisions/README')];
  const pages = await Promise.all(paths.map(readDocumentationPage));
  const ids = new Map(pages.map((page) => [page?.path, new Set(page?.html.match(/(?<= id=")[^"]+/g))]));
  const broken = pages.flatMap((page) =>
    [...(page?.html.matchAll(/<a href="([^"]+)"/g) ?? [])].flatMap(([, href = '']) => {
      if (/^(https?:|mailto:)/.test(href) || /^\/docs\/api|^\/openapi/.test(href)) return [];
      const [target = '', anchor] = href.split('#');
      const found = ids.get(target ? target.replace(/^\/docs\/?/, '') : page?.path);
      return found && (anchor === undefined || found.has(anchor)) ? [] : [`${page?.path}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
  expect(pages).not.toContain(undefined);
});

it('has links in its files to files that exist', () => {
  const files = ['README.md', ...documentationFilePages.map(({ file }) => file)];
  const broken = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?![a-z]+:|[/#])([^)\s#]+)/g)].flatMap(([, target = '']) =>
      existsSync(path.join(path.dirname(file), target)) ? [] : [`${file}: ${target}`],
    ),
  );
  expect(broken).toEqual([]);
});

it('describes the fields of a node type with their rules, and has an example of a template', async () => {
  const page = await readDocumentationMarkdown('nodes/http_request');
  expect(page).toContain('| `url` |');
  expect(page).toContain('```json');
  expect(await readDocumentationMarkdown('nodes/repeat')).toContain('[Loops and pages](/docs/loops)');
  const hubspot = await readDocumentationMarkdown('connectors/hubspot');
  expect(hubspot).toContain('`operation: contacts.list`');
  expect(hubspot).toContain('HubSpot allows an account about 660 calls a minute: [what it says](https://developers.');
  expect(await readDocumentationMarkdown('connectors/jira')).toContain('Jira limits calls: [what it says](https://');
});

it('knows no other pages, and reads no other files', async () => {
  for (const page of [
    'no-page',
    '../package',
    'decisions/../../package',
    'decisions/0099-none',
    'nodes/none',
    'nodes/',
    path.resolve('README'),
  ])
    expect(await readDocumentationPage(page)).toBeUndefined();
});

it('shows pictures of the repository, and no others', () => {
  const { html } = renderMarkdown(
    '![A wire](../../public/docs-wire.png) ![x](https://example.com/x.png)',
    'docs/build/each.md',
  );
  expect(html.match(/<img[^>]*>/g)).toEqual(['<img src="/docs-wire.png" alt="A wire" />']);
});

it('shows HTML as text, and drops links to files that are no pages', () => {
  const { html } = renderMarkdown(
    '# T\n\n<!-- start -->\n\n<script>x</script> a <b>b</b>\n\n[map](../oxlint.config.mjs)',
    'docs/index.md',
  );
  expect(html).not.toMatch(/<script|<b>|oxlint|start/);
  expect(html).toContain('map');
  expect(resolveDocumentLink('triggers/webhooks.md#bodies', 'docs/index.md')).toBe('/docs/webhooks#bodies');
  expect(resolveDocumentLink('../CONTRIBUTING.md', 'docs/index.md')).toBe('/docs/contributing');
});
