import { expect, type Page } from '@playwright/test';
import { expectDialogAccessible } from '../axe';
import { asOwner, HAS_PICTURES, makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

const at = (x: number) => ({ x, y: 0 });
const wire = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});

const order = {
  order_no: 'A-17',
  customer: { 'E-Mail': 'ada@example.com' },
  amount: 12.5,
  Paid: true,
  'ordered at': '2026-01-31T08:15:30Z',
  lines: [{ sku: 'a' }],
  weight: 3,
};

const definition = {
  nodes: [
    { id: 'start', type: 'start', position: at(0), config: {} },
    { id: 'order', type: 'transform', name: 'Order', position: at(300), config: { expression: JSON.stringify(order) } },
    { id: 'save', type: 'table', name: 'Save', position: at(600), config: {} },
  ],
  connections: [wire('start', 'order'), wire('order', 'save')],
};

const columns = [
  { name: 'Order no', type: 'text', isRequired: true, isUnique: true },
  { name: 'email', type: 'text' },
  { name: 'Amount', type: 'number' },
  { name: 'paid', type: 'boolean' },
  { name: 'orderedAt', type: 'timestamp' },
  { name: 'lines', type: 'json' },
  { name: 'remark', type: 'text' },
];

async function createTable(page: Page, name: string): Promise<string> {
  const headers = await asOwner(page);
  const answer = await page.request.post('/api/tables', { headers, data: { name, columns } });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

const readRows = async (page: Page, tableId: string) => {
  const answer = await page.request.get(`/api/tables/${tableId}/rows`, { headers: await asOwner(page) });
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
};

test('a row is written by picking: operation, table, and columns filled from the input by name', async ({
  page,
}, info) => {
  await takeSession(page);
  const name = `Orders ${Date.now()}`;
  const tableId = await createTable(page, name);
  const id = await makeWorkflow(page, 'Write orders', definition);
  // The input of the table node is known from what is pinned before it.
  const pinned = await page.request.put(`/api/workflows/${id}/pins/order`, {
    headers: await asOwner(page),
    data: { output: order },
  });
  expect(pinned.ok(), await pinned.text()).toBe(true);
  await page.reload();
  const dialog = page.getByRole('dialog');
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole('group', { name: 'Save', exact: true }).dblclick({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();

  let clicks = 0;
  const click = async (target: ReturnType<Page['getByRole']>) => {
    clicks += 1;
    await target.click();
  };
  await click(dialog.getByRole('combobox', { name: 'Operation' }));
  await click(page.getByRole('option', { name: 'Add a row', exact: true }));
  await expect(dialog.getByText('Pick table first')).toBeVisible();
  await click(dialog.getByRole('button', { name: 'Table:' }));
  await click(page.getByRole('option', { name }));
  await picture(page, info, 'columns');
  await click(dialog.getByRole('button', { name: 'Fill from input by name' }));
  expect(clicks).toBe(5);

  const report = dialog.getByRole('status').filter({ hasText: 'columns filled' });
  await expect(report).toContainText('6 of 7 columns filled');
  await expect(report).toContainText('email← customer.E-Mail');
  await expect(report).toContainText('Not foundremark');
  await expect(report).toContainText('Not usedweight');
  await expect(dialog.getByText(tableId)).toHaveCount(0);
  await expectDialogAccessible(page, info, 'table-node');
  await picture(page, info, 'filled');
  if (HAS_PICTURES) {
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, info, 'filled-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, info, 'filled-phone');
    await page.setViewportSize({ width: 1280, height: 720 });
  }
  await dialog.getByRole('textbox', { name: 'remark' }).fill('by hand');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Save', exact: true })).toContainText(`Add a row · ${name}`);
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();

  await runWorkflow(page, id);
  expect(await readRows(page, tableId)).toEqual([
    expect.objectContaining({
      'Order no': 'A-17',
      email: 'ada@example.com',
      Amount: 12.5,
      paid: true,
      orderedAt: '2026-01-31T08:15:30.000Z',
      lines: [{ sku: 'a' }],
      remark: 'by hand',
    }),
  ]);
});

test('what a table lost meanwhile, and values of another type, are said at their columns', async ({ page }, info) => {
  await takeSession(page);
  const name = `Stock ${Date.now()}`;
  const tableId = await createTable(page, name);
  const row = { 'Order no': 5, Amount: 'many', old: 'x', paid: '{{ input.paid }}', remark: null };
  const save = {
    ...definition.nodes[2],
    config: { operation: 'insert', tableId, row },
    labels: { tableId: name },
  };
  const find = {
    id: 'find',
    type: 'table',
    name: 'Find',
    position: at(900),
    config: { operation: 'find', tableId, sort: '-Amount' },
  };
  const whole = {
    id: 'whole',
    type: 'table',
    name: 'Whole',
    position: at(1200),
    config: { operation: 'insert', tableId, row: '{{ input }}' },
  };
  await makeWorkflow(page, 'Check stock', {
    nodes: [definition.nodes[0], save, find, whole],
    connections: [wire('start', 'save'), wire('save', 'find'), wire('find', 'whole')],
  });
  const dialog = page.getByRole('dialog');
  await expect(async () => {
    if (!(await dialog.isVisible()))
      await page.getByRole('group', { name: 'Save', exact: true }).dblclick({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(dialog.getByText('This column takes a text.')).toBeVisible();
  await expect(dialog.getByText('This column takes a number, such as 12.5.')).toBeVisible();
  await expect(dialog.getByText('“old” is no column any more.')).toBeVisible();
  await expect(dialog.getByText('Writes no value.')).toBeVisible();
  await picture(page, info, 'problems');
  await dialog.getByRole('button', { name: 'Remove its value' }).click();
  await expect(dialog.getByText('“old” is no column any more.')).toHaveCount(0);

  await dialog.getByRole('button', { name: 'Next node (Alt .)' }).click();
  const sort = dialog.getByRole('group', { name: 'Sort 1' });
  await expect(sort.getByRole('combobox', { name: 'Column 1' })).toHaveValue('Amount');
  await expect(sort.getByRole('combobox', { name: 'Direction 1' })).toHaveValue('Largest first');
  await dialog.getByRole('button', { name: 'Sort by a column' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Column 2' })).toHaveValue('Order no');
  await picture(page, info, 'find');

  await dialog.getByRole('button', { name: 'Next node (Alt .)' }).click();
  const row3 = dialog.getByRole('group', { name: 'Row' });
  await expect(row3.getByRole('radio', { name: 'Expression' })).toBeChecked();
  // The whole output of the node before, as a pill with its name.
  await expect(row3).toContainText('Find');
  await picture(page, info, 'whole');
});
