import { expect, type Page } from '@playwright/test';
import { asOwner, joinedBy, makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

const call = { id: 'call', type: 'http_request', name: 'Call', config: { url: 'https://api.example.com' } };
const definition = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    { ...call, position: { x: 300, y: 0 } },
  ],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'call', targetPort: 'input' }],
};

const made = async (page: Page, path: string, data: object) => {
  const answer = await page.request.post(path, { headers: await asOwner(page), data });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
};

test('a credential without permission is refused at its node, and the draft is kept', async ({
  page,
  browser,
}, info) => {
  // Two users sign in.
  test.slow();
  await takeSession(page);
  const config = { apiKey: 'key-1234567890' };
  await made(page, '/api/credentials', { name: 'Billing', type: 'api_key', config });
  const permissions = [
    { resource: 'workflow', action: '*' },
    ...['credential', 'execution', 'connector', 'workspace'].map((resource) => ({ resource, action: 'read' })),
  ];
  const roleId = await made(page, '/api/roles', { name: 'author', permissions });
  const id = await makeWorkflow(page, 'Invoices', definition);

  const own = await joinedBy(page, browser, 'Vera', `/workflows/${id}`, 'author');
  const node = own.getByRole('group', { name: 'Call', exact: true });
  const choice = own.getByRole('combobox', { name: 'Credential' });
  const refusal = own.getByText(/needs the permission “use credential”/);
  const openNode = async () => {
    // The page may not be hydrated yet.
    await expect(async () => {
      await node.click({ timeout: 2000 });
      await expect(choice).toBeVisible({ timeout: 2000 });
    }).toPass();
  };
  await openNode();
  await choice.click();
  await own.getByRole('option', { name: 'Billing' }).click();
  await expect(own.getByRole('status').filter({ hasText: 'Not saved' })).toBeVisible();
  await expect(refusal).toBeVisible();
  await expect(node.getByLabel(/^Problems: /)).toBeVisible();
  await picture(own, info, 'refused');

  // The browser asks whether to leave with unsaved work.
  own.on('dialog', (dialog) => void dialog.accept());
  await own.reload();
  await expect(own.getByRole('status').filter({ hasText: 'Not saved' })).toBeVisible();
  await openNode();
  await expect(choice).toHaveValue('Billing');
  await expect(refusal).toBeVisible();

  const data = { permissions: [...permissions, { resource: 'credential', action: 'use' }] };
  await page.request.put(`/api/roles/${roleId}`, { headers: await asOwner(page), data });
  await own.getByRole('status').filter({ hasText: 'Not saved' }).click();
  await expect(own.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
  await expect(refusal).toHaveCount(0);
  await own.context().close();
});

test(
  'a draft with errors is stored, marked in the list, and can be taken over by another person',
  { tag: '@long' },
  async ({ page, browser }, info) => {
    // Two users sign in.
    test.slow();
    await takeSession(page);
    const step = { id: 't', type: 'transform', name: 'Total', position: { x: 300, y: 0 } };
    const start = definition.nodes[0];
    const id = await makeWorkflow(page, 'Totals', {
      nodes: [start, { ...step, config: { expression: 'input.total' } }],
      connections: [{ ...definition.connections[0], targetNode: 't' }],
    });
    const bad = {
      name: 'Totals',
      definition: {
        nodes: [start, { ...step, config: { expression: 'input.total >' } }],
        connections: [{ ...definition.connections[0], targetNode: 't' }],
      },
    };
    const headers = await asOwner(page);
    expect((await page.request.put(`/api/workflows/${id}/draft/invalid`, { headers, data: bad })).status()).toBe(200);
    await page.goto('/workflows');
    await expect(
      page
        .getByRole('row', { name: /Totals/ })
        .getByText('Draft with errors')
        .filter({ visible: true }),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Totals' }).click();
    const state = page.getByRole('status').getByText('Draft with errors');
    await expect(state).toBeVisible();
    await expect(page.getByRole('group', { name: 'Total', exact: true }).getByLabel(/^Problems: /)).toBeVisible();
    await picture(page, info, 'invalid');

    const own = await joinedBy(page, browser, 'Ines', `/workflows/${id}`, 'editor');
    const bar = own.getByRole('region', { name: 'Changes of another person' });
    await expect(bar.getByText(/has changes with errors/)).toBeVisible();
    await picture(own, info, 'others');
    await bar.getByRole('button', { name: 'Show' }).click();
    await expect(own.getByRole('status').getByText('Draft with errors')).toBeVisible();
    // Undo restores the saved state: the draft that was stored is discarded.
    await own.locator('.react-flow__pane').click({ position: { x: 200, y: 500 } });
    await own.keyboard.press('Control+z');
    await expect(own.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
    await expect
      .poll(async () => {
        const answer = await page.request.get(`/api/workflows/${id}/draft/invalid`, { headers });
        return ((await answer.json()) as { data: object[] }).data.length;
      })
      .toBe(1);
    await own.context().close();
  },
);
