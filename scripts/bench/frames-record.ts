import type { Page } from '@playwright/test';

/** Times between frames during a pointer gesture, in milliseconds. */
export interface Frames {
  fps: number;
  p50: number;
  p95: number;
  /** Number of frames that took more than 50 ms, which users notice. */
  long: number;
  longest: number;
}

const STEPS = 150;

/** A string, because it runs in the page. */
const RECORD = `(() => {
  const deltas = [];
  let last = performance.now();
  let next = requestAnimationFrame(function tick(now) {
    deltas.push(now - last);
    last = now;
    next = requestAnimationFrame(tick);
  });
  window.stopRecording = () => {
    cancelAnimationFrame(next);
    return deltas.slice(1);
  };
})()`;

interface XY {
  x: number;
  y: number;
}

const PANE = `(() => {
  const { x, y, width } = document.querySelector('.react-flow__pane').getBoundingClientRect();
  return { x: x + width / 2, y: y + 12 };
})()`;

/** A point of the pane that no other element covers. */
const NODE_IN_THE_MIDDLE = `(() => {
  const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
  const centre = middleOf(document.querySelector('.react-flow__pane').getBoundingClientRect());
  const away = ({ x, y }) => Math.hypot(x - centre.x, y - centre.y);
  const places = [...document.querySelectorAll('.react-flow__node')].map((node) => middleOf(node.getBoundingClientRect()));
  return places.sort((one, other) => away(one) - away(other))[0];
})()`;

const placesOf = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('.react-flow__node')].map((node) => node.style.transform).join()`,
  );

/**
 * Records the frames that the browser draws during a gesture on the canvas: one pointer move per frame, like a mouse.
 */
export async function recordFrames(page: Page, gesture: 'drag' | 'pan' | 'zoom'): Promise<Frames> {
  const { x, y } = await page.evaluate<XY>(gesture === 'drag' ? NODE_IN_THE_MIDDLE : PANE);
  const before = await placesOf(page);
  await page.mouse.move(x, y);
  if (gesture === 'drag') await page.mouse.down();
  await page.evaluate(RECORD);
  for (let step = 1; step <= STEPS; step += 1) {
    const angle = (step / STEPS) * 4 * Math.PI;
    if (gesture === 'drag') await page.mouse.move(x + 160 * Math.sin(angle), y + 90 * (1 - Math.cos(angle)));
    else await wheel(page, gesture, 24 * Math.sin(angle), 18 * Math.cos(angle));
  }
  const deltas = await page.evaluate<number[]>('stopRecording()');
  if (gesture === 'drag') {
    const isMoved = (await placesOf(page)) !== before;
    await page.mouse.up();
    if (!isMoved) throw new Error('Nothing was dragged.');
  }
  return summary(deltas);
}

async function wheel(page: Page, gesture: 'pan' | 'zoom', x: number, y: number): Promise<void> {
  if (gesture === 'pan') return page.mouse.wheel(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, y);
  await page.keyboard.up('Control');
}

function summary(deltas: number[]): Frames {
  const sorted = deltas.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const total = deltas.reduce((sum, delta) => sum + delta, 0);
  return {
    fps: (1000 * deltas.length) / total,
    p50: at(0.5),
    p95: at(0.95),
    long: deltas.filter((delta) => delta > 50).length,
    longest: at(1),
  };
}
