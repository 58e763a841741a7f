import { expect, type Page } from '@playwright/test';
import { card, fillCode, node, openDrawn, saved } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { asOwner, enter, joinedBy, openWelcome, picture, takeSession } from '../person';
import { test } from '../test';

test('a workflow is created, edited, saved and run', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Greet');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('group', { name: 'Start' })).toBeVisible();

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('transf');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByText('Expression', { exact: true }).click();
  await fillCode(page, panel.getByRole('textbox', { name: 'Expression' }), '"Hello " & input.name');
  await page.keyboard.press('Alt+Enter');
  const large = page.getByRole('dialog', { name: 'Expression' });
  await expect(large.getByRole('textbox', { name: 'Expression' })).toBeFocused();
  await large.getByRole('tab', { name: 'Functions' }).click();
  await large.getByRole('button', { name: '$uppercase(text)' }).click();
  await expect(large.getByRole('region', { name: 'Result' })).toContainText('Line 1, column');
  await fillCode(page, large.getByRole('textbox', { name: 'Expression' }), '"Hello " & input.name');
  await expect(large.getByRole('region', { name: 'Result' })).toContainText('after the first run');
  await expectDialogAccessible(page, info, 'expression');
  await large.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(large).toHaveCount(0);

  const from = page.getByRole('group', { name: 'Start' }).getByLabel('output port');
  const to = page.getByRole('group', { name: 'Transform' }).getByLabel('input port');
  // The canvas may still move to the new node: retry the click.
  await expect(async () => {
    await from.dragTo(to);
    await expect(page.locator('.react-flow__edge')).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
  await picture(page, info, 'built');

  await page.getByRole('button', { name: 'Run options' }).click();
  await page.getByRole('menuitem', { name: 'Run with input …' }).click();
  await fillCode(page, page.getByRole('textbox', { name: 'Input' }), '{"name": "Ada"}');
  await expectDialogAccessible(page, info, 'run-with-input');
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByText('Done').first()).toBeVisible();
  await run.getByRole('tab', { name: 'Data' }).click();
  await expect(run.getByRole('group', { name: 'Output' })).toContainText('Hello Ada');
  await picture(page, info, 'ran');
});

test('a change is undone and redone', async ({ page }) => {
  await enter(page);
  await openWelcome(page);
  const refusal = page.getByRole('group', { name: 'Send the refusal' });
  await refusal.click();
  await page.keyboard.press('Delete');
  await expect(refusal).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(refusal).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(refusal).toHaveCount(0);
});

test('an issue is shown at its node and field', { tag: '@long' }, async ({ page }, info) => {
  await enter(page);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Half drawn');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('option', { name: /HTTP request/ }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Not started')).toBeVisible();
  const node = page.getByRole('group', { name: 'HTTP request' });
  await expect(node.getByLabel(/^Problems: /)).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Node' }).getByText('is required')).toBeVisible();
  await picture(page, info, 'missing');
});

test('two users see each other and what they save; one field that both changed is asked for', async ({
  page,
  browser,
}, info) => {
  await takeSession(page);
  const nodes = [node('start', 'start', 0), node('a', 'transform', 300), node('b', 'http_request', 600)];
  const id = await openDrawn(page, 'Contested', nodes, 'start>a', 'a>b');
  const second = await joinedBy(page, browser, 'Grace Hopper', `/workflows/${id}`);
  const others = page.getByRole('list', { name: 'Also viewing' });
  await expect(others.getByRole('listitem', { name: 'Grace Hopper' })).toBeVisible();
  await picture(page, info, 'also-here');
  await expect(second.getByRole('list', { name: 'Also viewing' }).getByRole('listitem')).toHaveCount(1);

  const write = async (on: Page, id: string, field: string, text: string) => {
    // Near its left edge: the panel of the first node may cover the rest of the second.
    await card(on, id).click({ position: { x: 20, y: 20 } });
    const panel = on.getByRole('complementary', { name: 'Node' });
    const target = panel.getByRole('textbox', { name: field });
    if (field !== 'Expression') return target.fill(text);
    await panel.locator('label', { hasText: field }).click();
    await fillCode(on, target, text);
  };
  // What one saves appears at the other, and so does where they point.
  await write(second, 'b', 'URL', 'https://seen.example');
  await saved(second);
  await expect(card(page, 'b').getByText('https://seen.example')).toBeVisible();
  await expect(page.locator('[class$="_selection"] > span').getByText('Grace Hopper')).toBeVisible();
  await picture(page, info, 'pointer');
  // Offline for a moment, while the other saves a change of the same field.
  await page.route('**/api/trpc/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await write(page, 'a', 'Expression', '"mine"');
  await write(page, 'b', 'URL', 'https://mine.example');
  await write(second, 'a', 'Expression', '"theirs"');
  await second.getByLabel('Name of the workflow').fill('Theirs');
  await saved(second);
  await second.context().close();
  await expect(others).toHaveCount(0);
  await page.unroute('**/api/trpc/**');

  // Only the field that both changed is asked for.
  const question = page.getByRole('region', { name: 'To decide' });
  await expect(question.getByRole('group', { name: 'Changed by both' })).toHaveCount(1);
  await picture(page, info, 'conflict');
  await question.getByRole('button', { name: 'Take theirs' }).click();
  await saved(page);
  await expect(page.getByLabel('Name of the workflow')).toHaveValue('Theirs');
  await expect(card(page, 'a').getByText('"theirs"')).toBeVisible();
  await expect(card(page, 'b').getByText('https://mine.example')).toBeVisible();
});

test('without a connection edits wait, and a run that goes on is shown after a reload', async ({ page }, info) => {
  await takeSession(page);
  const nodes = [node('start', 'start', 0), node('wait', 'delay', 300, 0, { durationMs: 600_000 })];
  const id = await openDrawn(page, 'Interrupted', nodes, 'start>wait');
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await page.getByLabel('Name of the workflow').fill('Renamed offline');
  await expect(page.getByRole('status').getByText('Offline', { exact: true })).toBeVisible();
  await picture(page, info, 'offline');
  await page.context().setOffline(false);
  await saved(page);
  await expect(page.getByText('You are offline.')).toHaveCount(0);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Run' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Name of the workflow')).toHaveValue('Renamed offline');
  await expect(card(page, 'wait').getByText('Running', { exact: true })).toBeVisible();
  const showRun = page.getByRole('button', { name: 'Show the run' });
  await showRun.click();
  await expect(showRun).toHaveCount(0);
  // An open node covers the run, which comes back by the button.
  await card(page, 'wait').click();
  await showRun.click();
  await page.getByRole('complementary', { name: 'Run' }).getByRole('button', { name: 'Cancel' }).click();
  const headers = await asOwner(page);
  await expect
    .poll(async () => {
      const list = await page.request.get(`/api/executions?workflowId=${id}`, { headers });
      return ((await list.json()) as { data: { status: string }[] }).data[0]?.status;
    })
    .toBe('failed');
});
