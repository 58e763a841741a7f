import { expect, type Locator, type Page } from '@playwright/test';
import { fillCode } from '../drawn';
import { makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

const node = (id: string, type: string, name: string, x: number, config = {}) => ({
  id,
  type,
  name,
  position: { x, y: 0 },
  config,
});
const wire = (sourceNode: string, sourcePort: string, targetNode: string) => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});
const order = {
  expression:
    '{"customer": "Ada \\"É\\"", "total": 120, "isPaid": true, "note": null, "lines": [{"sku": "A-1", "price": 3}, {"sku": "B-2", "price": 5}]}',
};
const shop = {
  nodes: [
    node('start', 'start', 'Start', 0),
    node('order', 'transform', 'Order', 300, order),
    node('check', 'condition', 'Check', 600),
    node('cheap', 'filter', 'Cheap', 900),
    node('brief', 'transform', 'Brief', 1200),
  ],
  connections: [
    wire('start', 'output', 'order'),
    wire('order', 'output', 'check'),
    wire('check', 'true', 'cheap'),
    wire('cheap', 'output', 'brief'),
  ],
};

async function pick(page: Page, field: Locator, path: string): Promise<void> {
  const option = page.getByRole('option', { name: path, exact: true });
  // A list that closes meanwhile takes the focus back, and with it the list that was just opened.
  await expect(async () => {
    if (!(await option.isVisible())) await field.click();
    await option.click({ timeout: 2000 });
  }).toPass();
}

async function operate(page: Page, within: Locator, number: string, label: string): Promise<void> {
  await within.getByRole('combobox', { name: `Operator ${number}` }).click();
  await page.getByRole('option', { name: label, exact: true }).first().click();
}

test('conditions, filters and fields are built from rows, and shown as expressions', async ({ page }, info) => {
  await takeSession(page);
  await makeWorkflow(page, 'Rules', shop);
  const dialog = page.getByRole('dialog', { name: /Order|Check|Cheap|Brief/ });
  // The canvas may still move: retry.
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole('group', { name: 'Order', exact: true }).dblclick({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();
  const output = dialog.getByRole('region', { name: 'Output', exact: true });
  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output.getByText('Done')).toBeVisible();

  // A condition: the operators fit the type of the picked field.
  await page.keyboard.press('Alt+Period');
  await dialog.getByRole('button', { name: 'Field 1' }).click();
  await page.getByRole('textbox', { name: 'Search fields' }).fill('tot');
  await picture(page, info, 'picker');
  await page.getByRole('option', { name: 'input.total' }).click();
  await operate(page, dialog, '1', 'is greater than');
  await dialog.getByRole('textbox', { name: 'Value 1' }).fill('100');
  await expect(dialog.getByText('= true')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await pick(page, dialog.getByRole('button', { name: 'Field 2.1' }), 'input.customer');
  await operate(page, dialog, '2.1', 'contains');
  await dialog.getByRole('textbox', { name: 'Value 2.1' }).fill('"É"');
  await pick(page, dialog.getByRole('button', { name: 'Field 2.2' }), 'input.note');
  await operate(page, dialog, '2.2', 'has no value');
  await picture(page, info, 'rules');
  await dialog.getByText('Expression', { exact: true }).click();
  const expression = dialog.getByRole('textbox', { name: 'Condition' });
  await expect(expression).toContainText('$type(input.total) = "number" and input.total > 100');
  await expect(expression).toContainText('$contains(input.customer, "\\"É\\"")');

  // What is written as an expression is shown as rows, if it has their shape.
  await fillCode(page, expression, 'input.total < 100 or input.isPaid = true');
  await dialog.getByText('Rules', { exact: true }).click();
  await expect(dialog.getByRole('combobox', { name: 'Operator 1' })).toHaveValue('is less than');
  await expect(dialog.getByRole('combobox', { name: 'Operator 2' })).toHaveValue('is true');
  await expect(dialog.getByRole('radio', { name: 'any' })).toBeChecked();
  await expect(dialog.getByText('= true')).toBeVisible();
  await dialog.getByText('Expression', { exact: true }).click();
  await fillCode(page, expression, '$sum(input.lines.price) > 1');
  await dialog.getByText('Rules', { exact: true }).click();
  await expect(dialog.getByText('can’t be shown as rules')).toBeVisible();
  await dialog.getByText('Expression', { exact: true }).click();
  await expect(expression).toHaveText('$sum(input.lines.price) > 1');
  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output.getByText('Done')).toBeVisible();

  // A filter: it takes the only list that arrives, and the rules are about its first item.
  await page.keyboard.press('Alt+Period');
  await expect(dialog.getByText('Works on 2 items from “Check”, in lines.')).toBeVisible();
  await pick(page, dialog.getByRole('button', { name: 'Field 1' }), 'item.price');
  await operate(page, dialog, '1', 'is at least');
  await dialog.getByRole('textbox', { name: 'Value 1' }).fill('5');
  await picture(page, info, 'filter');
  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output).toContainText('B-2');
  await expect(output).not.toContainText('A-1');

  // Fields of a new object: a picked field names its row.
  await page.keyboard.press('Alt+Period');
  await pick(page, dialog.getByRole('button', { name: 'Value 1' }), 'input[0].sku');
  await expect(dialog.getByRole('textbox', { name: 'Name 1' })).toHaveValue('sku');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await dialog.getByRole('textbox', { name: 'Name 2' }).fill('count');
  await dialog.getByRole('combobox', { name: 'Type 2' }).click();
  await page.getByRole('option', { name: 'Number' }).click();
  await dialog.getByRole('textbox', { name: 'Value 2' }).fill('2');
  await picture(page, info, 'fields');
  await dialog.getByText('Expression', { exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Expression' })).toContainText('"sku": input[0].sku');
  await dialog.getByRole('button', { name: 'Run this node' }).click();
  await expect(output).toContainText('"B-2"');
});

test('rules fit a phone and a dark screen', async ({ page }, info) => {
  await page.setViewportSize({ width: 375, height: 760 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await takeSession(page);
  await makeWorkflow(page, 'Small', {
    nodes: [
      node('start', 'start', 'Start', 0),
      node('check', 'condition', 'Check', 300, { expression: 'input.total > 100 and $contains(input.name, "a")' }),
    ],
    connections: [wire('start', 'output', 'check')],
  });
  await page.getByRole('group', { name: 'Check', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Node' });
  await expect(panel.getByRole('combobox', { name: 'Operator 1' })).toHaveValue('is greater than');
  await picture(page, info, 'rules');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(375);
});

test(
  'a workflow with an approval is built in fifteen clicks, without an expression or a search',
  { tag: '@long' },
  async ({ page }, info) => {
    await takeSession(page);
    await makeWorkflow(page, 'Fifteen', { nodes: [node('start', 'start', 'Start', 0)], connections: [] });
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const card = (name: string) => page.getByRole('group', { name, exact: true });
    const panel = page.getByRole('complementary', { name: 'Node' });
    const add = async (after: string, port: string, title: RegExp) => {
      await click(card(after).getByRole('button', { name: `Add a node after ${port}` }));
      await click(page.getByRole('dialog', { name: 'Add a node' }).getByRole('option', { name: title }));
    };

    await add('Start', 'output', /^HTTP request/);
    await click(panel.getByRole('textbox', { name: 'URL' }));
    await page.keyboard.type(new URL('/healthz', page.url()).href);
    await click(panel.getByRole('button', { name: 'Run this node' }));
    await expect(card('HTTP request')).toContainText('Done');

    await add('HTTP request', 'output', /^Condition/);
    await click(panel.getByRole('button', { name: 'Field 1' }));
    await click(page.getByRole('option', { name: 'input.status', exact: true }));
    await click(panel.getByRole('textbox', { name: 'Value 1' }));
    await page.keyboard.type('200');
    await expect(panel.getByText('= true')).toBeVisible();
    await picture(page, info, 'condition');

    await add('Condition', 'true', /^Approval/);
    await add('Approval', 'approved', /^Send email/);
    await click(panel.getByRole('combobox', { name: 'To', exact: true }));
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Enter');
    await click(panel.getByRole('textbox', { name: 'Subject' }));
    await page.keyboard.type('Approved');
    await page.keyboard.press('Tab');
    await page.keyboard.type('It may go on.');

    await expect(page.locator('.react-flow__edge')).toHaveCount(4);
    await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Checks', exact: true })).toBeVisible();
    await picture(page, info, 'built');
    expect(clicks).toBeLessThanOrEqual(15);
  },
);
