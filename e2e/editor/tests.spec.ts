import { expect } from '@playwright/test';
import { expectDialogAccessible } from '../axe';
import { asOwner, makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

test('a run is recorded as a test, and the test says what a change breaks', async ({ page }, info) => {
  await takeSession(page);
  const id = await makeWorkflow(page, 'Prices', {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
      { id: 'sum', type: 'transform', name: 'Sum', position: { x: 300, y: 0 }, config: { expression: '40 + 2' } },
    ],
    connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'sum', targetPort: 'input' }],
  });
  const executionId = await runWorkflow(page, id);
  await page.goto(`/executions/${executionId}`);
  await page.getByRole('button', { name: 'Record a test' }).click();
  const record = page.getByRole('dialog', { name: 'Record a test' });
  await record.getByRole('textbox', { name: 'Name' }).fill('The sum is 42');
  await record.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText('Test recorded')).toBeVisible();

  const headers = await asOwner(page);
  const { definition } = (await (await page.request.get(`/api/workflows/${id}`, { headers })).json()) as {
    definition: { nodes: { id: string; config: object }[] };
  };
  const nodes = definition.nodes.map((node) => (node.id === 'sum' ? { ...node, config: { expression: '43' } } : node));
  const data = { definition: { ...definition, nodes } };
  expect((await page.request.put(`/api/workflows/${id}`, { headers, data })).status()).toBe(200);

  await page.goto(`/workflows/${id}`);
  await expect(page.getByRole('group', { name: 'Sum', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Tests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tests' });
  await expect(dialog.getByText('Not run yet')).toBeVisible();
  await dialog.getByRole('button', { name: 'Run all' }).click();
  await expect(dialog.getByText('0 passed, 1 failed')).toBeVisible();
  await expect(dialog.getByText('The output of the run differs.')).toBeVisible();
  await picture(page, info, 'failed');
  await expectDialogAccessible(page, info, 'tests');

  await dialog.getByRole('button', { name: 'Replay recent runs' }).click();
  await expect(dialog.getByText('0 of 1 recent runs give the same on the last saved version.')).toBeVisible();
  await expect(dialog.getByText('has another output')).toBeVisible();
  await picture(page, info, 'replays');

  await dialog.getByRole('button', { name: 'Edit The sum is 42' }).click();
  const form = page.getByRole('dialog', { name: 'Edit the test' });
  await form.getByRole('textbox', { name: 'Value of output' }).fill('43');
  await form.getByRole('combobox', { name: 'Add a mock' }).click();
  await page.getByRole('option', { name: 'Sum' }).click();
  await expect(form.getByRole('group', { name: 'Mocks' }).getByRole('group', { name: 'Sum' })).toContainText('42');
  await picture(page, info, 'form');
  await expectDialogAccessible(page, info, 'form of a test');
  await form.getByRole('button', { name: 'Remove the mock of Sum' }).click();
  // Both ways of editing say the same.
  await form.getByRole('radiogroup', { name: 'How to edit Expectations' }).getByText('JSON').click();
  await expect(form.getByRole('textbox', { name: 'Expectations' })).toContainText('"output": 43');
  await form.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Run The sum is 42' }).click();
  await expect(dialog.getByText('1 passed, 0 failed')).toBeVisible();
});
