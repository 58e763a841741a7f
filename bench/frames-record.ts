import type { Page } from '@playwright/test';

/** Times between frames during a pointer gesture, in milliseconds. */
export interface Frames {
  fps: number;
  p50: number;
  p95: number;
  /** Number of frames that took more than 50 ms, which users notice. */
  long: number;
  longest: number;
  /** Processor time of the main thread of the page during the gesture, in milliseconds. */
  cpuMs: number;
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

/** A point of the pane that no other element covers. */
const PANE = `(() => {
  const { x, y, width } = document.querySelector('.react-flow__pane').getBoundingClientRect();
  return { x: x + width / 2, y: y + 12 };
})()`;

const MIDDLE = `(() => {
  const { x, y, width, height } = document.querySelector('.react-flow__pane').getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})()`;

/**
 * Moves the pointer to a node near the middle. In the overview of the editor, a card is an element only under the
 * pointer.
 */
async function pointAtNode(page: Page): Promise<XY> {
  const middle = await page.evaluate<XY>(MIDDLE);
  for (let step = 0; step < 200; step += 1) {
    const at = { x: middle.x + step * 2 * Math.cos(step), y: middle.y + step * 2 * Math.sin(step) };
    await page.mouse.move(at.x, at.y);
    const isNode = `document.elementFromPoint(${at.x}, ${at.y}).closest('.react-flow__node') !== null`;
    if (await page.evaluate<boolean>(isNode)) return at;
  }
  throw new Error('There is no node near the middle.');
}

const placesOf = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('.react-flow__node')].map((node) => node.style.transform).join()`,
  );

/**
 * Records the frames that the browser draws during a gesture on the canvas: one pointer move per frame, like a mouse.
 */
export async function recordFrames(page: Page, gesture: 'drag' | 'pan' | 'zoom'): Promise<Frames> {
  const { x, y } = gesture === 'drag' ? await pointAtNode(page) : await page.evaluate<XY>(PANE);
  const before = await placesOf(page);
  await page.mouse.move(x, y);
  if (gesture === 'drag') await page.mouse.down();
  const readCpuMs = await watchProcessorTime(page);
  await page.evaluate(RECORD);
  for (let step = 1; step <= STEPS; step += 1) {
    const angle = (step / STEPS) * 4 * Math.PI;
    if (gesture === 'drag') await page.mouse.move(x + 160 * Math.sin(angle), y + 90 * (1 - Math.cos(angle)));
    else await wheel(page, gesture, 24 * Math.sin(angle), 18 * Math.cos(angle));
  }
  const deltas = await page.evaluate<number[]>('stopRecording()');
  const cpuMs = await readCpuMs();
  if (gesture === 'drag') {
    const isMoved = (await placesOf(page)) !== before;
    await page.mouse.up();
    if (!isMoved) throw new Error('Nothing was dragged.');
  }
  return { ...summary(deltas), cpuMs };
}

/** Measures the processor time of the main thread from now on; the returned function ends it. */
async function watchProcessorTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await read();
  return async () => {
    const after = await read();
    await session.detach();
    return after - before;
  };
}

async function wheel(page: Page, gesture: 'pan' | 'zoom', x: number, y: number): Promise<void> {
  if (gesture === 'pan') return page.mouse.wheel(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, y);
  await page.keyboard.up('Control');
}

function summary(deltas: number[]): Omit<Frames, 'cpuMs'> {
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
