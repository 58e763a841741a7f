import { expect } from '@playwright/test';
import { expectDialogAccessible } from '../axe';
import { node, settled, wire } from '../drawn';
import { makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

const message = '{"status": 200, "headers": {"server": "x"}, "body": {"customer": "Ada", "lines": [{"sku": "A-1"}]}}';
const definition = {
  nodes: [
    node('start', 'start', 0),
    { ...node('first', 'transform', 300, 0, { expression: message }), name: 'Shop answer' },
    { ...node('second', 'transform', 600, 0, { expression: '{"total": 8}' }), name: 'Order total' },
    {
      ...node('call', 'http_request', 900, 0, {
        url: 'http://127.0.0.1:1/',
        method: 'POST',
        headers: { 'x-order': 'no ' },
        body: { who: 'x' },
      }),
      name: 'Call',
    },
  ],
  connections: [wire('start>first'), wire('first>second'), wire('second>call')],
};

test('picked data is a pill with its name and value, by keyboard, and copied as text', async ({
  page,
  context,
}, info) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await takeSession(page);
  const id = await makeWorkflow(page, 'Pills', definition);
  await page.goto(`/workflows/${id}?run=${await runWorkflow(page, id)}`);
  const dialog = page.getByRole('dialog', { name: 'Call' });
  await expect(async () => {
    // Another card may have been at the place.
    await page.keyboard.press('Escape');
    await settled(page);
    await page.getByRole('group', { name: 'Call', exact: true }).dblclick({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();

  const url = dialog.getByRole('textbox', { name: 'URL' });
  const field = dialog.locator('[data-field="url"]');
  await field.getByRole('button', { name: 'Insert data' }).click();
  // The nearest node first, by the names of the canvas; the body before the headers.
  const groups = page.getByRole('listbox').getByRole('group');
  await expect(groups.nth(0)).toHaveAccessibleName('Input from Order total');
  await expect(groups.nth(1)).toHaveAccessibleName('Shop answer');
  await expect(groups.nth(1).getByRole('option').nth(1)).toHaveAccessibleName('Shop answer › body');
  await picture(page, info, 'picker');
  await page.getByRole('option', { name: 'Shop answer › body.customer' }).click();
  const pill = url.getByRole('img', { name: 'Shop answer › body.customer, "Ada"' });
  await expect(pill).toBeVisible();
  await expect(url).toBeFocused();
  await expect(dialog.getByText('= "http://127.0.0.1:1/Ada"')).toBeVisible();
  await picture(page, info, 'pill');
  await expectDialogAccessible(page, info, 'Call');

  // An arrow selects it, Enter opens its text, and leaving the text closes it.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('{{ nodes.first.body.customer }}');
  await picture(page, info, 'selected');
  await page.keyboard.press('Enter');
  await expect(url).toHaveText('http://127.0.0.1:1/{{ nodes.first.body.customer }}');
  await page.keyboard.press('End');
  await expect(pill).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(url).toHaveText('http://127.0.0.1:1/');

  // Braces close themselves, and those that are typed pass them.
  await page.keyboard.type('{{');
  await expect(url).toHaveText('http://127.0.0.1:1/{{  }}');
  await page.keyboard.type('input.total');
  await page.keyboard.type(' }}?');
  await expect(url.getByRole('img', { name: 'Order total › total, 8' })).toBeVisible();
  await expect(dialog.getByText('= "http://127.0.0.1:1/8?"')).toBeVisible();

  // A value of a pair takes data, too, and a plain field closes braces.
  const pair = dialog.getByRole('textbox', { name: 'Headers: value 1' });
  await pair.click();
  await page.keyboard.press('End');
  await page.keyboard.type('{{');
  await expect(dialog.getByRole('textbox', { name: 'Headers: value 1' })).toHaveText('no {{  }}');
  await picture(page, info, 'fields');
  await page.setViewportSize({ width: 375, height: 720 });
  await url.scrollIntoViewIfNeeded();
  await expect(url.getByRole('img', { name: 'Order total › total, 8' })).toBeInViewport();
  await picture(page, info, 'phone');
});
