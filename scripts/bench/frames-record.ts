import type { Page } from '@playwright/test';

/** Times between frames while a hand moves, in milliseconds. */
export interface Frames {
  fps: number;
  p50: number;
  p95: number;
  /** How many took more than 50 ms, which people notice. */
  long: number;
  longest: number;
}

const STEPS = 150;

/** As text, because it runs in the page. */
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

/**
 * What the browser draws while something is done on the canvas of a page: one move of the pointer per frame, as a mouse
 * makes them.
 */
export async function recordFrames(page: Page, gesture: 'drag' | 'pan' | 'zoom'): Promise<Frames> {
  const held = page.locator(gesture === 'drag' ? '.react-flow__node' : '.react-flow__pane').first();
  const box = await held.boundingBox();
  if (!box) throw new Error('There is no canvas on the page.');
  const [x, y] = [box.x + box.width / 2, box.y + (gesture === 'drag' ? box.height / 2 : 12)];
  await page.mouse.move(x, y);
  if (gesture === 'drag') await page.mouse.down();
  await page.evaluate(RECORD);
  for (let step = 1; step <= STEPS; step += 1) {
    const angle = (step / STEPS) * 4 * Math.PI;
    if (gesture === 'drag') await page.mouse.move(x + 160 * Math.sin(angle), y + 90 * (1 - Math.cos(angle)));
    else await wheel(page, gesture, 24 * Math.sin(angle), 18 * Math.cos(angle));
  }
  const deltas = await page.evaluate<number[]>('stopRecording()');
  if (gesture === 'drag') await page.mouse.up();
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
