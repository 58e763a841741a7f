// `npm run picture`: takes the pictures of README.md, in light and dark, and those of the documentation, from workflows
// that run in the production build on a separate database.
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

/** A list that is filtered, and of which each item is written by a loop. */
const LISTS = {
  nodes: [
    node('start', 'Start', 'start', [0, 0]),
    node('orders', 'Orders', 'transform', [300, 0], {
      expression: '[1..1000].{"id": $, "customer": "Customer " & $, "total": $ * 7 % 100}',
    }),
    node('large', 'Large orders', 'filter', [600, 0], {
      items: 'input',
      rules: [{ field: 'total', operator: 'gt', value: 98 }],
    }),
    node('loop', 'For each order', 'for_each', [900, 0], {
      items: 'input',
      body: {
        nodes: [
          node('begin', 'Start', 'start', [0, 0]),
          node('label', 'Label', 'transform', [300, 0], { fields: { text: 'Order {{ input.item.id }}' } }),
        ],
        connections: [wire('begin', 'label')],
      },
    }),
  ],
  connections: [wire('start', 'orders'), wire('orders', 'large'), wire('large', 'loop')],
};

/** Takes the pictures of the pages about lists and loops. */
async function takeListPictures({ page, post }: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const { id } = await post<{ id: string }>('/api/workflows', { name: 'Large orders', definition: LISTS });
  const { executionId } = await post<{ executionId: string }>(`/api/workflows/${id}/execute`, { input: {} });
  await page.goto(`/workflows/${id}?run=${executionId}`);
  await page.getByRole('complementary', { name: 'Run' }).getByText('Done').first().waitFor();
  const shoot = (name: string) => page.screenshot({ path: `public/docs-${name}.png`, animations: 'disabled' });
  const card = (drawnId: string) => page.locator(`.react-flow__node[data-id="${drawnId}"]`);
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await page.getByRole('img', { name: 'Connection from Orders to Large orders' }).focus();
  await page.getByRole('tooltip').waitFor();
  await shoot('wire');
  await page.keyboard.press('Escape');
  await card('loop').getByRole('button', { name: 'Open the body of For each order here' }).click();
  await card('loop/label').waitFor();
  await page.getByRole('button', { name: 'Fit to view' }).click();
  await card('loop').getByRole('slider').press('Home');
  await page.getByRole('button', { name: 'Fit to view' }).focus();
  await shoot('loop');
  await card('large').click();
  await page.keyboard.press('n');
  await page
    .getByRole('dialog', { name: 'Add a node' })
    .getByRole('option', { name: /^Send email/ })
    .click();
  await page.getByRole('switch', { name: 'For each item' }).waitFor();
  await page.getByRole('button', { name: 'Options', exact: true }).click();
  await shoot('each');
}

/** An agent whose account is made first. */
const supportDesk = (credentialId: string) => ({
  nodes: [
    node('start', 'Question arrives', 'start', [0, 0]),
    {
      ...node('support', 'Support', 'agent', [300, 0], {
        model: 'gpt-5-mini',
        instructions: 'You help customers of a shop. Look up their order first.',
        memory: { key: '{{ input.customer }}' },
        tools: [
          {
            name: 'look_up_order',
            description: 'The state of an order by its number.',
            type: 'http_request',
            config: { url: 'https://shop.example.com/orders/{{ input.number }}' },
          },
          { name: 'compute_refund', type: 'code', config: { source: 'return input.price * 0.9;' } },
        ],
      }),
      credentialId,
    },
    node('answer', 'Answer', 'send_email', [600, 0], { to: '{{ nodes.start.customer }}' }),
  ],
  connections: [wire('start', 'support'), wire('support', 'answer')],
});

/** Takes the picture of the page about agents: one with its cards, and the panel of a tool. */
async function takeAgentPicture({ page, post }: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const config = { provider: 'openai', apiKey: 'sk-example' };
  const account = await post<{ id: string }>('/api/credentials', { name: 'OpenAI of support', type: 'llm', config });
  const definition = supportDesk(account.id);
  const { id } = await post<{ id: string }>('/api/workflows', { name: 'Support desk', definition });
  await page.goto(`/workflows/${id}`);
  await page.getByRole('group', { name: 'Model of agent Support' }).getByText('OpenAI of support').waitFor();
  await page.getByRole('group', { name: 'Tool look_up_order of agent Support' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: 'public/docs-agent.png', animations: 'disabled' });
}

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
  const editor = await signIn(browser, {
    baseURL: service.origin,
    colorScheme: 'light',
    viewport: { width: 1280, height: 640 },
    reducedMotion: 'reduce',
  });
  await takeListPictures(editor);
  await takeAgentPicture(editor);
  await editor.page.context().close();
} finally {
  await browser.close();
  await service.stop();
  await cluster.remove();
}
