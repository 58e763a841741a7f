import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { connectors } from '@/server/connectors';
import { catalogue } from '@/server/nodes';
import { CONNECTORS, filePages, NODES } from './contents';
import { documentationMarkdown, documentationPage, documentationSections } from '.';
import { addressOf, render } from './render';

const listed = documentationSections().flatMap(({ pages }) => pages.map((page) => page.path));

it('lists every file of docs, every node type and every connector', () => {
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md') && !file.startsWith('decisions/0'),
  );
  expect(filePages.map(({ file }) => file)).toEqual(expect.arrayContaining(files.map((file) => `docs/${file}`)));
  expect(listed).toEqual(expect.arrayContaining(catalogue().map(({ type }) => NODES + type)));
  expect(listed).toEqual(expect.arrayContaining(connectors.map(({ id }) => CONNECTORS + id)));
  expect(new Set(listed).size).toBe(listed.length);
});

it('has no link that leads nowhere', async () => {
  const decisions = readdirSync('docs/decisions').map((file) => `decisions/${file.replace(/\.md$/, '')}`);
  const paths = [...listed, ...decisions.filter((one) => one !== 'decisions/README')];
  const pages = await Promise.all(paths.map(documentationPage));
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
  const files = ['README.md', ...filePages.map(({ file }) => file)];
  const broken = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?![a-z]+:|[/#])([^)\s#]+)/g)].flatMap(([, target = '']) =>
      existsSync(path.join(path.dirname(file), target)) ? [] : [`${file}: ${target}`],
    ),
  );
  expect(broken).toEqual([]);
});

it('describes the fields of a node type with their rules, and has an example of a template', async () => {
  const page = await documentationMarkdown('nodes/http_request');
  expect(page).toContain('| `url` |');
  expect(page).toContain('```json');
  expect(await documentationMarkdown('nodes/repeat')).toContain('[Loops and pages](/docs/loops)');
  expect(await documentationMarkdown('connectors/hubspot')).toContain('`operation: contacts.list`');
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
    expect(await documentationPage(page)).toBeUndefined();
});

it('shows HTML as text, and drops links to files that are no pages', () => {
  const { html } = render(
    '# T\n\n<!-- start -->\n\n<script>x</script> a <b>b</b>\n\n[map](../oxlint.config.mjs)',
    'docs/index.md',
  );
  expect(html).not.toMatch(/<script|<b>|oxlint|start/);
  expect(html).toContain('map');
  expect(addressOf('triggers/webhooks.md#bodies', 'docs/index.md')).toBe('/docs/webhooks#bodies');
  expect(addressOf('../CONTRIBUTING.md', 'docs/index.md')).toBe('/docs/contributing');
});
