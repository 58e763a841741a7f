import { expect, type Page } from '@playwright/test';
import { violations, expectDialogAccessible } from '../axe';
import { card, drag, dropData, fillCode, node, openDrawn, paletteOffer, pointOf, settled } from '../drawn';
import { asOwner, enter, enterByKeys, openWelcome, picture, tabTo, takeSession } from '../person';
import { test } from '../test';

const create = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('group', { name: 'Start' })).toBeVisible();
};
/** Adds a node by keyboard; the code of the palette may still be loading. */
const insert = async (page: Page, typed: string) => {
  await page.keyboard.press('n');
  await expect(page.getByRole('combobox', { name: 'Search nodes' })).toBeFocused();
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
};
const saved = (page: Page) => expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
const nodes = (page: Page) => page.locator('.react-flow__node');
const edges = (page: Page) => page.locator('.react-flow__edge');

test('a workflow is built, run and saved by keyboard only', async ({ page }, info) => {
  await enterByKeys(page);
  await tabTo(page, page.getByRole('button', { name: 'New workflow' }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Start' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('group', { name: 'Start' })).toBeFocused();
  await insert(page, 'transf');
  await expect(edges(page)).toHaveCount(1);
  // The first field of the new node has the focus; Escape leads back to its card.
  await expect(page.getByRole('complementary', { name: 'Node' }).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'Transform' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('tab', { name: 'Parameters' }));
  await page.keyboard.press('Tab');
  await expect(page.getByRole('dialog').getByRole('radio', { name: 'Fields' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByRole('dialog').getByRole('textbox', { name: 'Expression' }));
  await page.keyboard.type('6 * 7');
  // Escape would close the suggestions of the field, if there are any.
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+d');
  await expect(nodes(page)).toHaveCount(3);
  await page.keyboard.press('Delete');
  await expect(nodes(page)).toHaveCount(2);
  await page.keyboard.press('Control+z');
  await expect(nodes(page)).toHaveCount(3);
  await page.keyboard.press('Control+Shift+z');
  await expect(nodes(page)).toHaveCount(2);
  await saved(page);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectDialogAccessible(page, info, 'keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search commands' })).toBeVisible();
  await picture(page, info, 'bar');
  await expect.poll(() => violations(page)).toEqual([]);
  await page.keyboard.type('tidy');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('complementary', { name: 'Run' }).getByText('Done').first()).toBeVisible();
  await page.reload();
  await expect(nodes(page)).toHaveCount(2);
});

test('removing a node connects its neighbours; pasted nodes have no credential', async ({ page }) => {
  await enter(page);
  await create(page, 'Chain');
  await page.evaluate(async () => {
    const node = (id: string, x: number) => ({
      id,
      type: 'transform',
      position: { x, y: 300 },
      config: { expression: 'input' },
    });
    const wire = { sourceNode: 'a', sourcePort: 'output', targetNode: 'b', targetPort: 'input' };
    const next = { sourceNode: 'b', sourcePort: 'output', targetNode: 'c', targetPort: 'input' };
    const text = JSON.stringify({ nodes: [node('a', 0), node('b', 300), node('c', 600)], connections: [wire, next] });
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(nodes(page)).toHaveCount(4);
  await expect(edges(page)).toHaveCount(2);
  await page.keyboard.press('1');
  await page.keyboard.press('Escape');
  await settled(page);
  const middle = card(page, 'b');
  await middle.click();
  // The click takes effect after the render; earlier keys would apply to the previous selection.
  await expect(middle).toHaveClass(/\bselected\b/);
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(1);
  await page.keyboard.press('Delete');
  await expect(nodes(page)).toHaveCount(3);
  await expect(edges(page)).toHaveCount(1);
});

test('a node opens in the wide view, with its input next to its settings', { tag: '@long' }, async ({ page }, info) => {
  await enter(page);
  await openWelcome(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Run' }).getByText('Waiting').first()).toBeVisible();
  await picture(page, info, 'run');
  await page.getByRole('group', { name: 'Ask a person' }).dblclick();
  const dialog = page.getByRole('dialog');
  await expect(
    dialog.getByRole('region', { name: 'Input' }).getByRole('button', { name: 'Input', exact: true }),
  ).toBeVisible();
  await expectDialogAccessible(page, info, 'wide');
});

test('an old version is shown and restored', async ({ page }, info) => {
  await enter(page);
  await create(page, 'Before');
  await insert(page, 'transf');
  await expect(nodes(page)).toHaveCount(2);
  await saved(page);
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('button', { name: /earlier saves?/ }).click();
  await page.getByRole('button', { name: /Version 1/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Version 1' });
  await expect(dialog.getByText('removed')).toHaveCount(3);
  await expectDialogAccessible(page, info, 'version');
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await expect(nodes(page)).toHaveCount(1);
});

test('changes wait to be published, and all triggers are paused in one step', async ({ page }, info) => {
  await enter(page);
  await create(page, 'Relied on');
  const dialog = page.getByRole('dialog');
  const badge = (label: string) => page.getByRole('button', { name: `Status: ${label}` });
  await page.keyboard.press('Shift+P');
  await dialog.getByRole('button', { name: 'Go live' }).click();
  await expect(badge('Live · version 1')).toBeVisible();

  await insert(page, 'transf');
  await expect(page.getByRole('status').getByText('Draft saved')).toBeVisible();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await expect(dialog.getByText('Changes since version 1')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await picture(page, info, 'gaps');
  await expect.poll(() => violations(page)).toEqual([]);
  await dialog
    .getByRole('region', { name: 'Checks' })
    .getByRole('button', { name: /is required/ })
    .click();
  await expect(dialog).toHaveCount(0);
  const panel = page.getByRole('complementary', { name: 'Node' });
  await panel.getByText('Expression', { exact: true }).click();
  await fillCode(page, panel.getByRole('textbox', { name: 'Expression' }), 'input');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Checks', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Publish …' }).click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Publish …' })).toHaveCount(0);
  await expect(badge('Live · version 3')).toBeVisible();

  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  await expect(badge('Live · version 4')).toBeVisible();
  await expect(nodes(page)).toHaveCount(1);
  await picture(page, info, 'rolled-back');
  await page.getByRole('button', { name: 'Undo: back to version 3' }).click();
  await expect(badge('Live · version 5')).toBeVisible();
  await expect(nodes(page)).toHaveCount(2);
});

test(
  'a large workflow is one picture while zoomed out, and cards while zoomed in',
  { tag: '@long' },
  async ({ page }, info) => {
    await takeSession(page);
    const many = Array.from({ length: 320 }, (_, at) =>
      node(at === 0 ? 's' : `n${at}`, at === 0 ? 'start' : 'transform', (at % 32) * 300, Math.floor(at / 32) * 130),
    );
    const id = await openDrawn(page, 'Many', many, 's>n1', 'n1>n2', 'n116>n117');
    const overview = page.locator('.react-flow__viewport-portal canvas');
    await expect(overview).toBeVisible();
    await expect(page.locator('.react-flow__edge')).toHaveCount(0);

    // A node of the palette is dropped on a connection of the picture.
    const { x: clientX, y: clientY } = await pointOf(page, { x: 20 * 300 + 268, y: 3 * 130 + 30 });
    await page.getByRole('button', { name: 'Add node' }).click();
    const approval = paletteOffer(page, 'node:approval');
    await dropData(page, approval, page.locator('.react-flow__pane'), { clientX, clientY });
    await expect(card(page, 'approval')).toBeVisible();
    const headers = await asOwner(page);
    const storedLinks = async () => {
      const { definition } = (await (await page.request.get(`/api/workflows/${id}`, { headers })).json()) as {
        definition: { connections: { sourceNode: string; targetNode: string }[] };
      };
      return definition.connections.map(({ sourceNode, targetNode }) => `${sourceNode}>${targetNode}`);
    };
    await expect.poll(storedLinks).toEqual(expect.arrayContaining(['n116>approval', 'approval>n117']));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await settled(page);

    // The card under the pointer is an element. A moved one is drawn beside the picture, with its connections.
    await expect(nodes(page)).toHaveCount(1);
    const first = await pointOf(page, { x: 300 + 118, y: 30 });
    await page.mouse.move(first.x, first.y);
    await expect(nodes(page)).toHaveCount(2);
    await drag(page, card(page, 'n1'), { dx: 20, dy: -60 });
    await saved(page);
    await expect(page.locator('.react-flow__edge')).toHaveCount(2);
    await expect(page.getByRole('complementary', { name: 'Node' })).toBeVisible();
    await picture(page, info, 'overview');
    await page.keyboard.press('Escape');

    // A rectangle selects cards of the picture, and a click one of them.
    const corners = [await pointOf(page, { x: 570, y: -30 }), await pointOf(page, { x: 1180, y: 220 })] as const;
    await page.mouse.move(corners[0].x, corners[0].y);
    await page.mouse.down();
    await page.mouse.move(corners[1].x, corners[1].y, { steps: 4 });
    await page.mouse.up();
    await expect(page.locator('.react-flow__node-card.selected')).toHaveCount(4);
    const other = await pointOf(page, { x: 5 * 300 + 118, y: 2 * 130 + 30 });
    await page.mouse.click(other.x, other.y);
    await expect(page.locator('.react-flow__node-card.selected')).toHaveAttribute('data-id', 'n69');

    // The keyboard enters at the first card.
    await page.keyboard.press('Escape');
    await card(page, 's').focus();
    await page.keyboard.press('ArrowRight');
    await expect(card(page, 'n1')).toBeFocused();

    const zoom = async () =>
      Number(/scale\(([\d.]+)\)/.exec((await page.locator('.react-flow__viewport').getAttribute('style')) ?? '')?.[1]);
    while ((await zoom()) < 0.4) await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect(overview).toHaveCount(0);
    await expect(page.locator('.react-flow__node-card').first().locator('.react-flow__handle').first()).toBeAttached();
  },
);
