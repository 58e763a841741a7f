import { expect } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { node, wire } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

/** A service that refuses with two alternating messages. */
async function refusing() {
  let calls = 0;
  return listenOn((_, response) => {
    calls += 1;
    response
      .writeHead(503, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ error: `No. ${2 - (calls % 2)}` }));
  });
}

test('a run that failed is explained, stepped through, compared, and opened in the editor', async ({
  page,
  context,
}, info) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await takeSession(page);
  const { url, close } = await refusing();
  const check = node('check', 'transform', 300, 0, { expression: 'input.item' });
  const body = { nodes: [node('start', 'start', 0), { ...check, name: 'Check' }], connections: [wire('start>check')] };
  const request = { url: `${url}/{{ execution.workflowId }}`, method: 'POST', body: { a: '{{ 1 + 1 }}' } };
  const calling = node('call', 'http_request', 300, 0, request);
  const id = await makeWorkflow(page, 'Fails', {
    nodes: [
      node('start', 'start', 0),
      { ...calling, name: 'Call', retry: { maxAttempts: 2, backoffMs: 0 } },
      { ...node('each', 'for_each', 600, 0, { items: '["a", "b"]', body }), name: 'Each' },
      { ...node('shape', 'transform', 900, 0, { expression: '$sum(input)' }), name: 'Shape' },
    ],
    connections: [wire('start>call'), wire('call:error>each'), wire('each>shape')],
  });
  await runWorkflow(page, id);
  const run = await runWorkflow(page, id);
  await close();
  await page.goto(`/executions/${run}`);
  const panel = page.getByRole('complementary', { name: 'Shape' });
  await expect(panel.getByText('EXPRESSION', { exact: true })).toBeVisible();
  await expect(panel.locator('mark')).toBeVisible();
  await expect(page.getByText('2 items')).toBeVisible();
  await picture(page, info, 'failed');

  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('complementary', { name: 'Each' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Timeline of the run' }).locator('[aria-current]')).toContainText(
    'Each',
  );
  await page.keyboard.press('ArrowLeft');
  const call = page.getByRole('complementary', { name: 'Call' });
  await expect(call.getByRole('combobox', { name: 'Attempt' })).toHaveValue(/Attempt 2 of 2/);
  await call.getByRole('button', { name: 'Previous attempt' }).press('Enter');
  await expect(call.getByRole('group', { name: 'response' })).toContainText('No. 1');
  await expect(call.getByRole('group', { name: 'parameters' })).toContainText(`/${id}`);
  await picture(page, info, 'attempt');
  await call.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect(call.getByRole('button', { name: 'Copied' })).toBeVisible();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain(`curl '${url}/${id}'`);
  expect(curl).toContain(`--data-raw '{"a":2}'`);
  await page.keyboard.press('Escape');
  const whole = page.getByRole('complementary', { name: 'Run' });
  await whole.getByRole('button', { name: 'Previous round' }).click();
  await whole.getByRole('button', { name: /Check/ }).click();
  await expect(page.getByRole('complementary', { name: 'Check' })).toContainText('"a"');
  await picture(page, info, 'round');

  await page.getByRole('button', { name: 'Compare' }).click();
  const comparison = page.getByRole('dialog', { name: 'Compare with another run' });
  await expect(comparison.getByRole('status')).toContainText(/^0 of \d+ nodes differ/);
  await expectDialogAccessible(page, info, 'compare');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Open in the editor' }).click();
  await expect(page.getByRole('complementary', { name: 'Run' }).getByText('EXPRESSION', { exact: true })).toBeVisible();
  await page
    .getByRole('complementary', { name: 'Run' })
    .getByRole('button', { name: /Run again/ })
    .click();
  await page.getByRole('menuitem', { name: 'From the failed node' }).click();
  await expect(page.getByRole('complementary', { name: 'Run' }).getByText('Failed').first()).toBeVisible();
  const runs = page.getByRole('complementary', { name: 'Runs', exact: true });
  // The repeated run takes the place of the list if it starts later than the click.
  await expect(async () => {
    if (!(await runs.isVisible())) await page.getByRole('button', { name: 'Runs of this workflow' }).click();
    await expect(runs.getByRole('listitem')).toHaveCount(3, { timeout: 2000 });
  }).toPass();
  await expect(runs.locator('[aria-current]')).toHaveCount(1);
  await picture(page, info, 'runs');
  await runs.getByRole('listitem').last().getByRole('button').click();
  await expect(page.getByRole('complementary', { name: 'Run', exact: true }).getByText('Failed').first()).toBeVisible();

  await page.goto(`/executions/${run}`);
  await panel.getByRole('button', { name: 'Show the field' }).click();
  const shown = page.getByRole('complementary', { name: 'Node' });
  await expect(shown.getByRole('textbox', { name: 'Expression' })).toBeFocused();
});
