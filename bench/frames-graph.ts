import type { Page } from '@playwright/test';

/** An open page that shows a graph. */
export interface Opened {
  page: Page;
  /** Milliseconds from the start of the navigation to the first drawn node. */
  openMs: number;
}

export type Graph = ReturnType<typeof gridOf>;

const COLUMNS = 40;

/** A grid of `count` nodes: each node is connected to the next in its row, and each row to the start. */
export function gridOf(count: number) {
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: at === 0 ? 'start' : `step_${at}`,
    name: at === 0 ? 'Start' : `Step ${at}`,
    type: at === 0 ? 'start' : at % 3 === 0 ? 'http_request' : 'transform',
    position: { x: (at % COLUMNS) * 300, y: Math.floor(at / COLUMNS) * 130 },
    config:
      at === 0
        ? {}
        : at % 3 === 0
          ? { url: `https://example.com/${at}`, method: 'GET' }
          : { fields: { at: String(at) } },
  }));
  const connections = nodes.slice(1).map(({ id }, at) => ({
    sourceNode: (at + 1) % COLUMNS === 0 ? 'start' : (nodes[at]?.id ?? 'start'),
    sourcePort: 'output',
    targetNode: id,
    targetPort: 'input',
  }));
  return { nodes, connections };
}

/** Milliseconds, by the page's clock, until its first node is visible, and in an overview the picture of all nodes. */
export async function whenDrawn(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => {
    const node = document.querySelector('.react-flow__node');
    if (!node || getComputedStyle(node).visibility !== 'visible') return undefined;
    const picture = document.querySelector<HTMLCanvasElement>('.react-flow canvas');
    const isDrawn = !document.querySelector('[data-far]') || (picture && picture.width !== 300);
    return isDrawn ? performance.now() : undefined;
  });
  return (await handle.jsonValue()) ?? Number.NaN;
}

/** Milliseconds that a page rests before it is loaded again: the load would wait for what it still does. */
const REST_MS = 2000;

/** Loads a page once more, with a warm cache. Returns the milliseconds as `whenDrawn`. */
export async function reopen(page: Page): Promise<number> {
  await whenDrawn(page);
  await page.waitForTimeout(REST_MS);
  await page.reload({ waitUntil: 'commit' });
  return whenDrawn(page);
}
