// `npm run picture`: takes the pictures of README.md, in light and dark, from a workflow that runs in the production
// build on a separate database.
import { chromium } from '@playwright/test';
import { startCluster } from '../server/testing/cluster';
import { signIn, startService } from '../bench/frames-editor';
import { ensureBrowser, systemBrowser } from './browser.mjs';

const node = (id: string, name: string, type: string, [x, y]: [number, number], config: object = {}) => ({
  id,
  name,
  type,
  position: { x, y },
  config,
});
const wire = (from: string, to: string) => {
  const [sourceNode, sourcePort = 'output'] = from.split(':');
  return { sourceNode, sourcePort, targetNode: to, targetPort: 'input' };
};

/** Two branches at a time, and a person who is asked. */
const ORDERS = {
  nodes: [
    node('order', 'Order arrives', 'start', [0, 120]),
    node('risk', 'Score the risk', 'code', [275, 0], {
      source: 'return { points: input.items.length * 12 + (input.isNew ? 30 : 0) };',
    }),
    node('total', 'Compute the total', 'transform', [275, 240], {
      fields: { total: '{{ $sum(input.items.(price * quantity)) }}' },
    }),
    node('ask', 'Ask the team lead', 'approval', [550, 90], {
      message: 'Accept the order of {{ nodes.order.customer }} over {{ nodes.total.total }} €?',
    }),
    node('book', 'Book the order', 'transform', [825, 0], { fields: { state: 'booked' } }),
    node('refuse', 'Refuse it', 'transform', [825, 240], { fields: { state: 'refused' } }),
  ],
  connections: [
    wire('order', 'risk'),
    wire('order', 'total'),
    wire('risk', 'ask'),
    wire('total', 'ask'),
    wire('ask:approved', 'book'),
    wire('ask:rejected', 'refuse'),
  ],
};
const ORDER = {
  customer: 'Ada',
  isNew: true,
  items: [
    { name: 'Loom', price: 120, quantity: 1 },
    { name: 'Yarn', price: 9.5, quantity: 4 },
  ],
};

await ensureBrowser();
const browser = await chromium.launch({ executablePath: systemBrowser(), args: ['--disable-gpu'] });
const cluster = await startCluster();
const service = await startService(cluster);
try {
  for (const [colorScheme, file] of [
    ['light', 'public/screenshot.png'],
    ['dark', 'public/screenshot-dark.png'],
  ] as const) {
    const { page, post } = await signIn(browser, {
      baseURL: service.origin,
      colorScheme,
      viewport: { width: 1440, height: 760 },
      reducedMotion: 'reduce',
    });
    const { id } = await post<{ id: string }>('/api/workflows', { name: 'Orders', definition: ORDERS });
    const { executionId } = await post<{ executionId: string }>(`/api/workflows/${id}/execute`, { input: ORDER });
    await page.goto(`/workflows/${id}?run=${executionId}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await page.mouse.move(700, 700);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: file, animations: 'disabled' });
    await page.context().close();
  }
} finally {
  await browser.close();
  await service.stop();
  await cluster.remove();
}
