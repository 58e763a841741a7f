import { expect, type Page } from '@playwright/test';
import { card, cards, drag, dropData, node, openDrawn, paletteOffer, saved, settled, wires } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { picture, takeSession } from '../person';
import { test } from '../test';

const pick = async (page: Page, search: string) => {
  await page.getByRole('combobox', { name: 'Search nodes' }).fill(search);
  await page.keyboard.press('Enter');
};

/** Selects nothing, so that the panel of a new node is closed, and shows the whole canvas. */
const showAll = async (page: Page) => {
  await page.locator('.react-flow__pane').click({ position: { x: 30, y: 200 } });
  await expect(page.getByRole('complementary', { name: 'Node' })).toHaveCount(0);
  await page.keyboard.press('1');
  await settled(page);
};

test('a graph is drawn with the mouse: from the palette, from a port, into connections', async ({ page }, info) => {
  await takeSession(page);
  await openDrawn(page, 'Drawn', [node('start', 'start', 0), node('end', 'transform', 700, 0)], 'start>end');

  // The plus on a connection.
  await wires(page).first().hover({ force: true });
  await page.getByRole('img', { name: 'Insert a node' }).first().click({ force: true });
  await pick(page, 'delay');
  await expect(wires(page)).toHaveCount(2);
  await expect(card(page, 'delay')).toBeVisible();

  // A connection dropped on the empty canvas.
  await showAll(page);
  await drag(page, card(page, 'end').getByLabel('output port'), { dx: -120, dy: 170 });
  await pick(page, 'condition');
  await expect(wires(page)).toHaveCount(3);
  await picture(page, info, 'out-of-a-port');

  // A refused connection shows its reason.
  await showAll(page);
  await drag(page, card(page, 'end').getByLabel('output port'), card(page, 'delay').getByText('Delay').first(), true);
  await expect(card(page, 'delay').getByText('This would create a cycle')).toBeVisible();
  await expect(card(page, 'start').locator('[data-blocked]')).toHaveCount(1);
  await picture(page, info, 'illegal-targets');
  await page.mouse.up();
  await expect(wires(page)).toHaveCount(3);
  await page.keyboard.press('Escape');

  // Escape cancels the connection, even over a valid port.
  await drag(
    page,
    card(page, 'start').getByLabel('output port'),
    card(page, 'condition').getByLabel('input port'),
    true,
  );
  await expect(page.locator('.react-flow__connection')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.react-flow__connection')).toHaveCount(0);
  await page.mouse.up();
  await expect(wires(page)).toHaveCount(3);

  // From the palette onto the canvas, then onto a connection.
  await page.getByRole('button', { name: 'Add node' }).click();
  const option = paletteOffer(page, 'node:approval');
  await dropData(page, option, page.locator('.react-flow__pane'), { clientX: 684, clientY: 675 });
  await expect(card(page, 'approval')).toBeVisible();
  await expect(wires(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await settled(page);
  const middle = await wires(page)
    .first()
    .locator('path')
    .first()
    .evaluate((path: SVGPathElement) => {
      const { x, y } = path
        .getPointAtLength(path.getTotalLength() / 2)
        .matrixTransform(path.getScreenCTM() ?? undefined);
      return { x, y };
    });
  const name = card(page, 'approval').getByText('Approval').first();
  const box = await name.boundingBox();
  if (!box) throw new Error('the approval is on the canvas');
  await drag(page, name, { dx: middle.x - box.x - box.width / 2, dy: middle.y - box.y - box.height / 2 });
  await expect(wires(page)).toHaveCount(4);
  await page.keyboard.press('Control+z');
  await expect(wires(page)).toHaveCount(3);
  await saved(page);
});

test('notes are written, nodes are grouped, and groups fold and move as one', async ({ page }, info) => {
  await takeSession(page);
  await openDrawn(
    page,
    'Explained',
    [node('start', 'start', 0), node('a', 'transform', 300), node('b', 'transform', 600)],
    'start>a',
    'a>b',
  );
  await page.locator('.react-flow__pane').hover({ position: { x: 300, y: 560 } });
  await page.keyboard.press('Shift+S');
  await expect(page.getByRole('textbox', { name: 'Text of the note, in Markdown' })).toBeFocused();
  await page.keyboard.type('# Why\n\nIt is **needed**. <b onclick="x()">no</b> [x](javascript:alert(1))');
  await page.locator('.react-flow__pane').click({ position: { x: 1000, y: 60 } });
  const note = page.locator('.react-flow__node-note');
  await expect(note.getByRole('heading', { name: 'Why' })).toBeVisible();
  await expect(note.locator('strong')).toHaveText('needed');
  await expect(note.locator('b')).toHaveCount(0);
  await expect(note.getByRole('link')).not.toHaveAttribute('href', /javascript/);
  await note.click();
  await page.getByRole('button', { name: 'Colour: green' }).click();

  await card(page, 'a').click();
  await page.keyboard.down('Shift');
  await card(page, 'b').click();
  await page.keyboard.up('Shift');
  await page.keyboard.press('Control+g');
  const frame = page.locator('.react-flow__node-frame');
  await expect(frame).toHaveCount(1);
  await expect(page.getByRole('textbox', { name: 'Name of the group' })).toBeFocused();
  await page.keyboard.type('The work');
  await page.keyboard.press('Enter');
  await expect(frame.getByText('The work')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('textbox', { name: 'Name of the group' })).toBeFocused();
  await page.keyboard.press('Escape');
  await picture(page, info, 'group');
  await page.getByRole('button', { name: 'Collapse The work' }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(wires(page)).toHaveCount(1);
  await picture(page, info, 'collapsed');
  await page.keyboard.press('Alt+g');
  await expect(cards(page)).toHaveCount(3);

  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await settled(page);
  const top = async (id: string) => (await card(page, id).boundingBox())?.y ?? 0;
  await drag(page, frame.getByText('The work'), { dx: 40, dy: 80 });
  // Relative to the other nodes, because the canvas may have moved.
  await expect.poll(async () => (await top('a')) - (await top('start'))).toBeGreaterThan(40);
  await expect.poll(async () => Math.abs((await top('a')) - (await top('b')))).toBeLessThan(1);
  await saved(page);
  await page.reload();
  await expect(frame.getByText('The work')).toBeVisible();
  await expect(note.getByRole('heading', { name: 'Why' })).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.locator('.react-flow__node')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(frame).toHaveCount(1);
  await expect(note).toHaveCount(1);
});

test('a selection is copied by clipboard, and extracted into a new workflow', async ({ page, context }, info) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await takeSession(page);
  const step = { expression: 'input' };
  const chain = [node('start', 'start', 0), node('a', 'transform', 300, 0, step), node('b', 'transform', 600, 0, step)];
  await openDrawn(page, 'Copied', [...chain, node('c', 'transform', 900, 0, step)], 'start>a', 'a>b', 'b>c');
  await card(page, 'a').click();
  await page.keyboard.down('Shift');
  await card(page, 'b').click();
  await page.keyboard.up('Shift');
  await page.keyboard.press('Control+c');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(text)).toMatchObject({ nodes: [{ id: 'a' }, { id: 'b' }], connections: [{ sourceNode: 'a' }] });
  await page.locator('.react-flow__pane').hover({ position: { x: 300, y: 600 } });
  await page.keyboard.press('Control+v');
  await expect(cards(page)).toHaveCount(6);
  await expect(wires(page)).toHaveCount(4);
  await page.keyboard.press('Control+x');
  await expect(cards(page)).toHaveCount(4);

  // The tools above the node under the pointer.
  await settled(page);
  await card(page, 'c').hover();
  await page.getByRole('button', { name: 'Duplicate this node' }).click();
  await expect(cards(page)).toHaveCount(5);
  await page.keyboard.press('Control+z');
  await expect(cards(page)).toHaveCount(4);
  // The canvas has moved to the new node.
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await settled(page);

  await card(page, 'a').click();
  await page.keyboard.down('Shift');
  await card(page, 'b').click();
  await page.keyboard.up('Shift');
  await page.keyboard.press('Alt+x');
  const dialog = page.getByRole('dialog', { name: 'Extract to sub-workflow' });
  await dialog.getByLabel('Name of the new workflow').fill('The middle');
  await expectDialogAccessible(page, info, 'extract');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(cards(page)).toHaveCount(3);
  await expect(wires(page)).toHaveCount(2);
  await expect(card(page, 'sub_workflow').getByText('The middle')).toBeVisible();
  await expect(card(page, 'sub_workflow').getByRole('link', { name: 'Open “The middle”' })).toBeVisible();
  await card(page, 'start').click();
  await page.keyboard.press('Alt+x');
  await expect(page.getByText('is the start node of this workflow')).toBeVisible();
});

test('an issue links to its node, and a save that fails waits for the service', async ({ page }, info) => {
  await takeSession(page);
  await openDrawn(
    page,
    'Unready',
    [node('start', 'start', 0), node('call', 'http_request', 300), node('lost', 'transform', 300, 200)],
    'start>call',
  );
  await page.keyboard.press('Shift+P');
  const panel = page.getByRole('dialog').getByRole('region', { name: 'Checks' });
  await expect(panel.getByText('URL is required')).toBeVisible();
  await expect(panel.getByText('No run reaches this node')).toBeVisible();
  await picture(page, info, 'checks');
  await panel.getByRole('button', { name: /URL is required/ }).click();
  const url = page.getByRole('complementary', { name: 'Node' }).getByLabel('URL').first();
  await expect(url).toBeVisible();

  await page.route('**/api/trpc/**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await card(page, 'lost').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('status').getByText('Offline')).toBeVisible();
  // The event that asks before leaving. A real attempt to leave isn't used: on a busy machine Chromium leaves without
  // the question if the page does not respond within a second.
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await mayLeave()).toBe(false);
  await page.unroute('**/api/trpc/**');
  await saved(page);
  expect(await mayLeave()).toBe(true);

  await settled(page);
  await wires(page).first().click({ button: 'right', force: true });
  await page.getByRole('menuitem', { name: 'Delete the connection' }).click();
  await expect(wires(page)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(wires(page)).toHaveCount(1);

  // A replaced node keeps its connections; the body of a loop has its own canvas.
  await card(page, 'call').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Replace with another type' }).click();
  await pick(page, 'for each');
  await expect(card(page, 'call').getByText('For each').first()).toBeVisible();
  await expect(wires(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Open loop body' }).click();
  const way = page.getByRole('navigation', { name: 'Loop path' });
  await expect(way.getByText('For each')).toHaveAttribute('aria-current', 'location');
  await expect(cards(page)).toHaveCount(1);
  await card(page, 'call_start').click();
  await page.keyboard.press('n');
  await pick(page, 'transf');
  await expect(wires(page)).toHaveCount(1);
  await expect(card(page, 'transform')).toBeVisible();
  await picture(page, info, 'inside-a-loop');
  await way.getByRole('button', { name: 'Unready' }).click();
  await expect(way).toHaveCount(0);
  await expect(card(page, 'transform')).toHaveCount(0);
  await saved(page);
});
