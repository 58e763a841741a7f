import { expect, test } from '@playwright/test';
import { listenOn } from '../server/testing/listen';
import { violations } from './axe';
import { card, cards, node, openDrawn, saved, wire } from './drawn';
import { enter, makeWorkflow, picture, runWorkflow } from './person';

const start = node('start', 'start', 0);
const round = {
  nodes: [start, node('add', 'transform', 300, 0, { expression: 'input.index * 10' })],
  connections: [wire('start>add')],
};
const repeat = node('again', 'repeat', 300, 0, { until: 'output >= 20', maxRounds: 5, body: round });

test('a node is repeated: found by other words, with a body on a canvas of its own, and rounds in the run', async ({
  page,
}, info) => {
  await enter(page);
  await openDrawn(page, 'Asks again', [start]);
  await card(page, 'start').click();
  await page.keyboard.press('n');
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('do until');
  await expect(page.getByRole('option').first()).toContainText('Repeat');
  await page.keyboard.press('Enter');
  await expect(cards(page)).toHaveCount(2);
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByLabel('Rounds at most').fill('5');
  await picture(page, info, 'repeat');
  await page.getByRole('button', { name: 'Open loop body' }).click();
  await expect(page.getByRole('navigation', { name: 'Loop path' })).toContainText('Repeat');
  await expect(cards(page)).toHaveCount(1);
  await saved(page);

  const id = await makeWorkflow(page, 'Counts', { nodes: [start, repeat], connections: [wire('start>again')] });
  await page.goto(`/executions/${await runWorkflow(page, id)}`);
  const run = page.getByRole('complementary', { name: 'Run' });
  await run.getByRole('button', { name: 'Previous round' }).click();
  await run.getByRole('button', { name: /Transform/ }).click();
  await expect(page.getByRole('complementary', { name: 'Transform' })).toContainText('10');
  await picture(page, info, 'rounds');
});

test('a list in pages is requested by fields that fit its kind', async ({ page }, info) => {
  const { url, close } = await listenOn((request, response) => {
    const isLast = request.url?.includes('after=') === true;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ orders: isLast ? [3] : [1, 2], cursor: isLast ? null : 'c2' }));
  });
  await enter(page);
  const id = await openDrawn(page, 'All orders', [start, node('list', 'http_request', 300, 0, { url })], 'start>list');
  await card(page, 'list').click();
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByRole('switch', { name: 'Pages' }).click();
  const pages = panel.getByRole('group', { name: 'Pages' });
  await expect(pages.getByRole('combobox', { name: 'Kind' })).toHaveValue('next_url');
  await expect(pages.getByText('First page')).toHaveCount(0);
  await pages.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'cursor' }).click();
  await pages.getByRole('textbox', { name: 'Parameter' }).fill('after');
  await pages.getByRole('textbox', { name: 'Next' }).fill('input.body.cursor');
  await pages.getByRole('textbox', { name: 'Items' }).fill('input.body.orders');
  await saved(page);
  await picture(page, info, 'pages');
  expect(await violations(page)).toEqual([]);

  await page.goto(`/executions/${await runWorkflow(page, id)}`);
  await close();
  await page
    .getByRole('complementary', { name: 'Run' })
    .getByRole('button', { name: /HTTP request/ })
    .click();
  await expect(page.getByRole('complementary', { name: 'HTTP request' })).toContainText('pages');
});
