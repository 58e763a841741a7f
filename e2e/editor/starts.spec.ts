import { expect, type Page, type TestInfo } from '@playwright/test';
import { card, node, openDrawn, paletteOffer, saved } from '../drawn';
import { asOwner, HAS_PICTURES, picture, takeSession } from '../person';
import { test } from '../test';

const middle = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0) / 2;
};

/** The canvas on a desk and on a phone, in both schemes. */
async function pictures(page: Page, info: TestInfo): Promise<void> {
  if (!HAS_PICTURES) return;
  const desk = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, size] of [
      ['desk', desk],
      ['phone', { width: 375, height: 760 }],
    ] as const) {
      await page.setViewportSize(size);
      await page.getByRole('button', { name: 'Fit to view' }).click();
      await picture(page, info, `${name}-${colorScheme}`);
    }
    await page.setViewportSize(desk);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a second start gets a trigger of its own, and runs begin where they are told', async ({ page }, info) => {
  test.slow();
  await takeSession(page);
  const orders = { ...node('start', 'start', 0), name: 'Orders' };
  const id = await openDrawn(
    page,
    'Two starts',
    [orders, node('t', 'transform', 320, 0, { expression: 'input' })],
    'start>t',
  );
  const headers = await asOwner(page);
  const webhooks = `/api/workflows/${id}/webhooks`;
  const startsOf = async () => {
    const listed = (await (await page.request.get(webhooks, { headers })).json()) as {
      data: { path: string; startNodeId: string | null }[];
    };
    return Object.fromEntries(listed.data.map(({ path, startNodeId }) => [path, startNodeId]));
  };
  await page.request.post(webhooks, { headers, data: { path: 'orders' } });
  await page.reload();
  const canvas = page.getByLabel('Workflow canvas');
  await expect(canvas.getByRole('button', { name: /^Webhook \/orders/ })).toBeVisible();

  // With one start there is nothing to choose.
  await canvas.getByRole('button', { name: /^Webhook \/orders/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog').getByLabel('Path')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Starts at' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('start');
  await paletteOffer(page, 'node:start').click();
  const second = page.locator('.react-flow__node-card:not([data-id="start"]):not([data-id="t"])');
  await expect(second).toHaveCount(1);
  const secondId = (await second.getAttribute('data-id')) ?? '';
  await saved(page);
  // The trigger that was there keeps its start.
  await expect.poll(startsOf).toEqual({ orders: 'start' });

  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('hook');
  await paletteOffer(page, 'trigger:webhook').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Path').fill('refunds');
  await expect(dialog.getByRole('combobox', { name: 'Starts at' })).toHaveValue('Orders');
  await dialog.getByRole('combobox', { name: 'Starts at' }).click();
  await page.getByRole('option', { name: 'Start', exact: true }).click();
  await picture(page, info, 'picker');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect.poll(startsOf).toEqual({ orders: 'start', refunds: secondId });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Each trigger is drawn at its start.
  const trigger = (path: string) => `.react-flow__node-trigger:has-text("/${path}")`;
  await expect(page.locator(trigger('refunds'))).toBeVisible();
  for (const [path, start] of [
    ['orders', 'start'],
    ['refunds', secondId],
  ] as const)
    expect(await middle(page, trigger(path))).toBeCloseTo(await middle(page, `[data-id="${start}"]`), -1);

  await page.getByRole('button', { name: 'Fit to view' }).click();
  await pictures(page, info);
  await page.getByRole('button', { name: 'Run options' }).click();
  await picture(page, info, 'run-menu');
  await page.getByRole('menuitem', { name: 'Start', exact: true }).click();
  const panel = page.getByLabel('Run', { exact: true });
  await expect(panel).toContainText('starts at Start');
  await expect(panel.getByText('Skipped').first()).toBeVisible();
  await picture(page, info, 'run');
  // The choice is remembered.
  await page.reload();
  await expect(card(page, 'start')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByLabel('Run', { exact: true })).toContainText('starts at Start');

  // In the list the same question is asked, and the choice is remembered there, too.
  await page.goto('/workflows');
  await page.getByRole('button', { name: 'Run Two starts' }).first().click();
  await expect(page.getByRole('menuitem', { name: 'Start', exact: true })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('menuitem', { name: 'Orders', exact: true }).click();
  await expect(page).toHaveURL(/\/executions\//);
  await expect(page.getByRole('complementary', { name: 'Run' })).toContainText('starts at Orders');
});
