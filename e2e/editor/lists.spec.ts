import { expect, type Locator } from '@playwright/test';
import { expectAccessible } from '../axe';
import { card, node, openDrawn, paletteOffer } from '../drawn';
import { asOwner, picture, runWorkflow, takeSession } from '../person';
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
  // Until it is there, it moves what is below it.
  await expect(panel).toContainText('An example of an item');
  await pick(/^Field of measure 1/, 'price');
  await picture(page, info, 'aggregate');
  expect(clicks).toBeLessThanOrEqual(15);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(card(page, 'aggregate')).toContainText('Done');
  // The wires say how many items passed, and show the first ones to the pointer and to the focus.
  const wire = page.getByRole('img', { name: 'Connection from Orders to Filter' });
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

test('each item of a list is called by a new node, and a list without items ends the branch', async ({
  page,
}, info) => {
  await takeSession(page);
  const few = { expression: '[1..3].{"id": $}' };
  const nodes = [node('start', 'start', 0), { ...node('orders', 'transform', 300, 0, few), name: 'Orders' }];
  const id = await openDrawn(page, 'Each', nodes, 'start>orders');
  await runWorkflow(page, id);
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Node' });
  await card(page, 'orders').getByRole('button', { name: 'Add a node after output' }).click();
  await paletteOffer(page, 'node:http_request').click();
  await expect(panel.getByRole('switch', { name: 'For each item' })).toBeChecked();
  await expect(panel).toContainText('Runs once for each of 3 items');
  await expect(card(page, 'http_request').getByLabel('Runs for each item')).toBeVisible();
  const url = panel.getByRole('textbox', { name: 'URL' });
  await url.fill(`${new URL('/healthz?order=', page.url()).href}{{ item.id }}`);
  await expect(panel.getByText(/= ".*healthz\?order=1"/)).toBeVisible();
  await panel.getByRole('button', { name: 'Options' }).click();
  await panel.getByRole('combobox', { name: 'When an item fails' }).click();
  await page.getByRole('option', { name: 'go on, and leave the item out' }).click();
  await expectAccessible(page, info, 'each');

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(card(page, 'http_request')).toContainText('Done');
  await card(page, 'http_request').click();
  await page.getByRole('tab', { name: 'Items' }).click();
  const items = panel.getByRole('region', { name: 'Items of HTTP request' });
  await items.getByRole('slider').press('Home');
  await expect(items.getByRole('combobox', { name: 'Item' })).toHaveValue(/^Item 1 · Done/);
  await expect(items).toContainText(/inputFields.*id1/i);
  await picture(page, info, 'items');

  // Without items nothing behind the node runs, which the wires and the run say.
  const none = [
    node('start', 'start', 0),
    { ...node('none', 'transform', 300, 0, { expression: '[]' }), name: 'None' },
    { ...node('each', 'transform', 600, 0, { expression: 'item' }), name: 'Each', each: {} },
    { ...node('after', 'transform', 900, 0, { expression: '1' }), name: 'After' },
  ];
  const empty = await openDrawn(page, 'Without items', none, 'start>none', 'none>each', 'each>after');
  await page.goto(`/executions/${await runWorkflow(page, empty)}`);
  await expect(page.getByText('no items: the branch ends here')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Connection from None to Each' })).toContainText('0 items');
  await expect(page.getByRole('img', { name: 'Connection from Each to After' })).toContainText('the branch ends here');
  await picture(page, info, 'no-items');
});

test('the page of a run draws the body of a loop in its frame, with a slider of rounds', async ({ page }, info) => {
  await takeSession(page);
  const body = {
    nodes: [node('begin', 'start', 0), node('price', 'transform', 300, 0, { expression: 'input.item * 10' })],
    connections: [{ sourceNode: 'begin', sourcePort: 'output', targetNode: 'price', targetPort: 'input' }],
  };
  const nodes = [node('start', 'start', 0), node('loop', 'for_each', 300, 0, { items: '[1, 2, 3]', body })];
  const id = await openDrawn(page, 'Loop of a run', nodes, 'start>loop');
  await page.goto(`/executions/${await runWorkflow(page, id)}`);
  await card(page, 'loop').getByRole('button', { name: 'Open the body of For each here' }).click();
  const frame = page.locator('.react-flow__node-loop');
  await expect(frame.getByRole('combobox', { name: 'Round' })).toHaveValue(/^Round 3 · Done/);
  await expect(card(page, 'loop/price')).toContainText('Done');
  await frame.getByRole('slider').press('Home');
  await expect(frame.getByRole('combobox', { name: 'Round' })).toHaveValue(/^Round 1 · Done/);
  await card(page, 'loop/price').click();
  const panel = page.getByRole('complementary', { name: 'Transform' });
  await expect(panel.getByRole('group', { name: 'output' })).toContainText('10');

  // The time of the run: before the start nothing has a state, and the panel has no data.
  const moment = page.getByRole('slider', { name: 'Moment of the run' });
  await expect(moment).toHaveAttribute('aria-valuetext', /^The end, after /);
  await moment.press('Home');
  await expect(moment).toHaveAttribute('aria-valuetext', 'Before the start');
  await expect(card(page, 'start')).not.toContainText('Done');
  await expect(panel).toContainText('It had not started at this moment of the run.');
  await moment.press('ArrowRight');
  await expect(moment).toHaveAttribute('aria-valuetext', /^After \d+ ms: “.*” (started|ended)$/);
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(panel.getByRole('group', { name: 'output' })).toContainText('10');
  await expect(card(page, 'start')).toContainText('Done');
  await picture(page, info, 'replay');
  await frame.getByRole('button', { name: 'Close the body of For each' }).click();
  await expect(card(page, 'loop/price')).toBeHidden();
});

test('a changed field shows its outcome on the canvas and in the panel, up to what acts outside', async ({
  page,
}, info) => {
  await takeSession(page);
  const few = { expression: '[1..5].{"id": $, "price": $ * 10}' };
  const dear = { items: 'input', rules: [{ field: 'price', operator: 'gt', value: 10 }] };
  const mail = { to: 'a@example.com', subject: 'Count', template: '{{ input }}' };
  const nodes = [
    node('start', 'start', 0),
    { ...node('orders', 'transform', 300, 0, few), name: 'Orders' },
    { ...node('dear', 'filter', 600, 0, dear), name: 'Dear' },
    { ...node('count', 'transform', 900, 0, { expression: '$count(input)' }), name: 'Count' },
    { ...node('mail', 'send_email', 1200, 0, mail), name: 'Tell' },
  ];
  const wiring = ['start>orders', 'orders>dear', 'dear>count', 'count>mail'];
  const id = await openDrawn(page, 'Outcome', nodes, ...wiring);
  await page.goto(`/workflows/${id}?run=${await runWorkflow(page, id)}`);
  await expect(card(page, 'mail')).toContainText('Done');
  await expect(card(page, 'count')).not.toContainText('Preview');
  await card(page, 'dear').click();
  await page.getByRole('tab', { name: 'Parameters' }).click();
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByRole('textbox', { name: 'Value 1' }).fill('30');
  await expect(card(page, 'dear')).toContainText('Preview');
  await expect(card(page, 'count')).toContainText('Preview');
  await expect(card(page, 'mail')).toContainText('Done');
  await expect(panel.getByRole('region', { name: 'Preview' })).toContainText('40');
  const wire = page.getByRole('img', { name: 'Connection from Dear to Count' });
  await expect(wire).toContainText('2 items');
  await wire.focus();
  await expect(page.getByRole('tooltip')).toContainText('Preview · 2 items');
  await picture(page, info, 'preview');
  await expectAccessible(page, info, 'preview');

  // A moment of the run has its own data: the preview is of the last.
  await page.getByRole('slider', { name: 'Moment of the run' }).press('Home');
  await expect(card(page, 'dear')).not.toContainText('Preview');
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(card(page, 'dear')).toContainText('Preview');
  // The panel covers half of the card.
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await card(page, 'count').click();
  await expect(panel.getByRole('region', { name: 'Preview' })).toContainText('value2');
});

test('the body of a loop is edited in its frame, with the first item as sample and a slider of rounds', async ({
  page,
}, info) => {
  await takeSession(page);
  const few = { expression: '[1..3].{"sku": "A-" & $, "price": $ * 10}' };
  const body = { nodes: [node('begin', 'start', 0)], connections: [] };
  const nodes = [
    node('start', 'start', 0),
    { ...node('orders', 'transform', 300, 0, few), name: 'Orders' },
    node('loop', 'for_each', 600, 0, { items: 'input', body }),
    { ...node('after', 'transform', 900, 0, { expression: 'input' }), name: 'After' },
  ];
  const id = await openDrawn(page, 'Loop', nodes, 'start>orders', 'orders>loop', 'loop>after');
  await runWorkflow(page, id);
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Node' });
  await card(page, 'loop').getByRole('button', { name: 'Open the body of For each here' }).click();
  const frame = page.locator('.react-flow__node-loop');
  await card(page, 'loop/begin').getByRole('button', { name: 'Add a node after output' }).click();
  await paletteOffer(page, 'node:transform').click();
  await expect(card(page, 'loop/transform')).toBeVisible();
  await panel.getByRole('button', { name: /^Value 1/ }).click();
  await page.getByRole('option', { name: 'input.item.price', exact: true }).click();
  // What was added shows its outcome for the item of the last round.
  await expect(card(page, 'loop/transform')).toContainText('Preview');
  await expect(panel.getByRole('region', { name: 'Preview' })).toContainText('30');
  await picture(page, info, 'body');
  await expectAccessible(page, info, 'frame');

  await frame.getByRole('button', { name: 'Run for the first item' }).click();
  await expect(card(page, 'loop/transform')).toContainText('Done');
  await expect(frame.getByRole('combobox', { name: 'Round' })).toHaveValue(/^Round 1 ·/);
  await expect(frame.getByRole('slider')).toHaveCount(0);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(frame.getByRole('combobox', { name: 'Round' })).toHaveValue(/^Round 3 · Done/);
  await frame.getByRole('slider').press('Home');
  await card(page, 'loop/transform').click();
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(panel.getByRole('group', { name: 'output' })).toContainText('price10');
  await picture(page, info, 'rounds');
  // What is in a frame is deleted like anything else, and the frame closes by the keyboard.
  await card(page, 'loop/transform').click();
  await page.keyboard.press('Delete');
  await expect(card(page, 'loop/transform')).toBeHidden();
  await card(page, 'loop/begin').click();
  await page.keyboard.press('o');
  await expect(card(page, 'loop/begin')).toBeHidden();
  await expect(card(page, 'loop')).toBeVisible();
});

test('each item of a list is written to a table in eight clicks', async ({ page }, info) => {
  await takeSession(page);
  const name = `Parts ${Date.now()}`;
  const columns = [
    { name: 'sku', type: 'text' },
    { name: 'price', type: 'number' },
  ];
  const headers = await asOwner(page);
  const made = await page.request.post('/api/tables', { headers, data: { name, columns } });
  const { id: tableId } = (await made.json()) as { id: string };
  const few = { expression: '[1..3].{"sku": "A-" & $, "price": $ * 10}' };
  const nodes = [node('start', 'start', 0), { ...node('parts', 'transform', 300, 0, few), name: 'Parts' }];
  const id = await openDrawn(page, 'Rows', nodes, 'start>parts');
  await runWorkflow(page, id);
  await page.reload();
  const panel = page.getByRole('complementary', { name: 'Node' });
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await click(card(page, 'parts').getByRole('button', { name: 'Add a node after output' }));
  await click(paletteOffer(page, 'node:table'));
  await expect(panel.getByRole('switch', { name: 'For each item' })).toBeChecked();
  await click(panel.getByRole('combobox', { name: 'Operation' }));
  await click(page.getByRole('option', { name: 'Add a row', exact: true }));
  await click(panel.getByRole('button', { name: 'Table:' }));
  await click(page.getByRole('option', { name }));
  await click(panel.getByRole('button', { name: 'Fill from input by name' }));
  await expect(panel.getByText('2 of 2 columns filled')).toBeVisible();
  await picture(page, info, 'table');
  await click(page.getByRole('button', { name: 'Run', exact: true }));
  expect(clicks).toBeLessThanOrEqual(8);
  await expect(card(page, 'table')).toContainText('Done');
  const rows = await page.request.get(`/api/tables/${tableId}/rows`, { headers });
  const { data } = (await rows.json()) as { data: object[] };
  expect(data).toHaveLength(3);
  expect(data).toContainEqual(expect.objectContaining({ sku: 'A-2', price: 20 }));
});
