import { expect, type Locator, type Page } from '@playwright/test';
import { OWNER } from './person';

export const node = (id: string, type: string, x: number, y = 0, config: object = {}) => ({
  id,
  type,
  position: { x, y },
  config,
});

/** `a>b`, `a:port>b` */
export const wire = (text: string) => {
  const [from = '', targetNode = ''] = text.split('>');
  const [sourceNode = '', sourcePort = 'output'] = from.split(':');
  return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
};

/** Creates a workflow over the API, opens it in the editor, and returns its id. */
export async function openDrawn(page: Page, name: string, nodes: object[], ...wires: string[]): Promise<string> {
  const login = await page.request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const created = await page.request.post('/api/workflows', {
    headers: { authorization: `Bearer ${accessToken}` },
    data: { name, definition: { nodes, connections: wires.map(wire) } },
  });
  expect(created.status()).toBe(201);
  const { id } = (await created.json()) as { id: string };
  await page.goto(`/workflows/${id}`);
  await expect(cards(page).first()).toBeVisible();
  await settled(page);
  return id;
}

export const cards = (page: Page) => page.locator('.react-flow__node-card');
export const card = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
/**
 * An offer of the open palette, by its id: `node:<type>` or `trigger:<kind>`. Its text does not name it alone: other
 * offers begin with the same word as soon as the connectors have loaded.
 */
export const paletteOffer = (page: Page, id: string) => page.locator(`[role="option"][id$="-${id}"]`);
export const wires = (page: Page) => page.locator('.react-flow__edge');
export const saved = (page: Page) => expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

/** Waits until the canvas no longer moves: a click goes to the position that an element had before. */
export async function settled(page: Page): Promise<void> {
  const viewport = page.locator('.react-flow__viewport');
  await expect(async () => {
    const before = await viewport.getAttribute('style');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await viewport.getAttribute('style')).toBe(before);
  }).toPass();
}

/** The position in the window of a point of the canvas. */
export async function pointOf(page: Page, { x, y }: { x: number; y: number }): Promise<{ x: number; y: number }> {
  const viewport = page.locator('.react-flow__viewport');
  return viewport.evaluate(
    (element, at) => {
      const pane = element.closest('.react-flow')?.getBoundingClientRect();
      const { a: zoom, e, f } = new DOMMatrix(getComputedStyle(element).transform);
      return { x: (pane?.x ?? 0) + e + at.x * zoom, y: (pane?.y ?? 0) + f + at.y * zoom };
    },
    { x, y },
  );
}

async function middle(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('What is to be dragged can not be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Drags with the mouse from one element to another, or by an offset in pixels. `isHeld`: without releasing the button.
 */
export async function drag(page: Page, from: Locator, to: Locator | { dx: number; dy: number }, isHeld = false) {
  await settled(page);
  const start = await middle(from);
  const end = 'dx' in to ? { x: start.x + to.dx, y: start.y + to.dy } : await middle(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  if (!isHeld) await page.mouse.up();
}

/**
 * Drags data from one element to another, by the events of a drag: on a busy machine the mouse of the test and the drag
 * of the browser lose each other. `at`: a position in the window. `over`: the highlight of a target that takes the
 * data.
 */
export async function dropData(page: Page, from: Locator, to: Locator, at = {}, over?: Locator): Promise<void> {
  const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
  await from.dispatchEvent('dragstart', { dataTransfer });
  await to.dispatchEvent('dragover', { dataTransfer, ...at });
  if (over) await expect(over).toBeVisible();
  await to.dispatchEvent('drop', { dataTransfer, ...at });
}

/**
 * Replaces the text of a code field by the keyboard, once its editor is loaded: `fill` changes what the editor may be
 * about to redraw.
 */
export async function fillCode(page: Page, field: Locator, text: string): Promise<void> {
  await expect(field).toHaveClass(/cm-content/);
  await field.press('Control+a');
  await page.keyboard.insertText(text);
}
