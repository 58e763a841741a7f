import type { Page } from '@playwright/test';

/** A page with a graph on it. */
export interface Opened {
  page: Page;
  /** From the wish to the first drawn node. */
  openMs: number;
}

export type Graph = ReturnType<typeof gridOf>;

const COLUMNS = 40;

/** So many nodes in rows, each joined to the next in its row, the rows to the start. */
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

/** When the page, by its own clock, had its first node in sight. */
export async function whenDrawn(page: Page): Promise<number> {
  const seen = await page.waitForFunction(() => {
    const node = document.querySelector('.react-flow__node');
    return node && getComputedStyle(node).visibility === 'visible' ? performance.now() : undefined;
  });
  return (await seen.jsonValue()) ?? Number.NaN;
}
