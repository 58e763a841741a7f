import { expect, type Locator } from '@playwright/test';
import { card, node, openDrawn } from '../drawn';
import { picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

const orders = {
  expression: '[1..1000].{"id": $, "price": $ * 2, "customer": {"country": $ % 2 = 0 ? "DE" : "FR"}}',
};

test('a thousand items are filtered, sorted and summed up in fifteen clicks', async ({ page }, info) => {
  await takeSession(page);
  const nodes = [node('start', 'start', 0), { ...node('orders', 'transform', 300, 0, orders), name: 'Orders' }];
  const id = await openDrawn(page, 'Thousand', nodes, 'start>orders');
  await runWorkflow(page, id);
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Node' });
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const add = async (after: string, title: RegExp) => {
    await click(card(page, after).getByRole('button', { name: 'Add a node after output' }));
    await click(page.getByRole('dialog', { name: 'Add a node' }).getByRole('option', { name: title }));
  };
  const pick = async (field: RegExp, name: string) => {
    await click(panel.getByRole('button', { name: field }));
    await click(page.getByRole('option', { name, exact: true }));
  };

  await add('orders', /^Filter/);
  await expect(panel).toContainText('Works on 1,000 items from “Orders”.');
  await pick(/^Field 1/, 'item.price');
  await click(panel.getByRole('combobox', { name: 'Operator 1' }));
  await click(page.getByRole('option', { name: 'is greater than', exact: true }));
  await click(panel.getByRole('textbox', { name: 'Value 1' }));
  await page.keyboard.type('1990');
  await picture(page, info, 'filter');

  await add('filter', /^Sort/);
  await expect(panel).toContainText('Works on the list from “Filter”. That node has not run yet');
  await pick(/^Field: (?!use)/, 'price');
  await picture(page, info, 'sort');

  await add('sort', /^Aggregate/);
  await pick(/^Field of measure 1/, 'price');
  await picture(page, info, 'aggregate');
  expect(clicks).toBeLessThanOrEqual(15);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(card(page, 'aggregate')).toContainText('Done');
  // The wires say how many items passed, and show the first ones to the pointer and to the focus.
  const wire = page.getByRole('group', { name: 'Connection from Orders to Filter' });
  await expect(wire).toContainText('1,000 items');
  await wire.focus();
  await expect(page.getByRole('tooltip').getByRole('row')).toHaveCount(4);
  await picture(page, info, 'wire');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toBeHidden();
  await card(page, 'aggregate').click();
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(panel.getByRole('group', { name: 'Output' })).toContainText('sum_price');
  await picture(page, info, 'result');
});
