import { expect } from '@playwright/test';
import { fillCode, node, saved, wire } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

const order = '{"customer": "Ada", "lines": [{"sku": "A-1", "price": 3}, {"sku": "B-2", "price": 5}]}';
const definition = {
  nodes: [
    node('start', 'start', 0),
    { ...node('order', 'transform', 300, 0, { expression: order }), name: 'Order' },
    { ...node('sum', 'transform', 600, 0, { expression: '$sum(nodes.order.lines.price)' }), name: 'Sum' },
    { ...node('both', 'transform', 900, 0, { expression: 'nodes.order.lines[price > 1].sku' }), name: 'Both' },
  ],
  connections: [wire('start>order'), wire('order>sum'), wire('sum>both')],
};

test('a workflow changes to JavaScript, what is not proven is looked at, and the editor writes JavaScript', async ({
  page,
}, info) => {
  await takeSession(page);
  const id = await makeWorkflow(page, 'Changes its language', definition);
  const runId = await runWorkflow(page, id);
  await page.goto(`/workflows/${id}?run=${runId}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Workflow settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Workflow settings' });
  await expect(settings.getByText('JSONata', { exact: true })).toBeVisible();
  await settings.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change to JavaScript' });
  // Of the third, JSONata takes all matches.
  await expect(dialog.getByText(/of 2 the results are the same, 1 must be looked at/)).toBeVisible();
  await expectDialogAccessible(page, info, 'Change to JavaScript');
  await picture(page, info, 'change-language');
  await dialog.getByRole('button', { name: 'Change to JavaScript' }).click();
  await saved(page);

  const open = async (name: string) => {
    const panel = page.getByRole('dialog');
    await expect(async () => {
      if (!(await panel.isVisible())) await page.getByRole('group', { name, exact: true }).dblclick({ timeout: 2000 });
      await expect(panel).toBeVisible({ timeout: 2000 });
    }).toPass();
    return panel;
  };
  const sum = await open('Sum');
  const expression = sum.getByRole('textbox', { name: 'Expression' });
  await expect(expression).toContainText('.reduce((sum, value) => sum + value, 0)');
  await expect(sum.getByText('= 8')).toBeVisible();
  await fillCode(page, expression, 'input.customer');
  await expect(sum.getByText('= "Ada"')).toBeVisible();
  await expression.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('.toUp');
  await expect(page.getByRole('option', { name: /toUpperCase/ })).toBeVisible();
  await picture(page, info, 'completion');
  await page.getByRole('option', { name: /toUpperCase/ }).click();
  await page.keyboard.type(')');
  await expect(sum.getByText('= "ADA"')).toBeVisible();
  await picture(page, info, 'preview');
  await sum.getByRole('button', { name: 'Close', exact: true }).click();

  // What has no proof waits until somebody has looked.
  await page.getByRole('button', { name: /problem/i }).click();
  const look = page.getByRole('button', { name: 'I have looked' });
  await expect(look).toBeVisible();
  await picture(page, info, 'look');
  await look.click();
  await expect(look).toBeHidden();
  await saved(page);
});
