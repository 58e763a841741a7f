import { expect } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { startModels } from '../../server/testing/parties/models';
import { node, wire } from '../drawn';
import { asOwner, enter, makeWorkflow, picture } from '../person';
import { test } from '../test';

test('the steps of an agent are a conversation, in which a person approves a call', async ({ page }, info) => {
  const models = await startModels();
  const shop = await listenOn((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url, isPaid: true }));
  });
  await enter(page);
  const headers = await asOwner(page);
  const data = {
    name: `Model ${models.url}`,
    type: 'llm',
    config: { provider: 'openai_compatible', apiKey: 'sk-test', baseUrl: `${models.url}/v1` },
  };
  const made = await page.request.post('/api/credentials', { headers, data });
  expect(made.status(), await made.text()).toBe(201);
  const { id: credentialId } = (await made.json()) as { id: string };
  const tool = (name: string) => ({
    name,
    description: `${name} of an order`,
    type: 'http_request',
    config: { url: `${shop.url}/${name}/{{ input.order }}` },
  });
  const agent = node('agent', 'agent', 320, 0, {
    model: 'model-a',
    instructions: 'You help customers of a shop.',
    input: 'Please refund order 7.',
    tools: [tool('look_up'), tool('refund')],
    approvals: { refund: 'always' },
  });
  const id = await makeWorkflow(page, 'Refunds', {
    nodes: [node('start', 'start', 0), { ...agent, name: 'Helper', credentialId }],
    connections: [wire('start>agent')],
  });
  models.sayInTurn(
    { text: 'I look it up first.', calls: [{ name: 'look_up', arguments: { order: '7' } }] },
    { calls: [{ name: 'refund', arguments: { order: '7' } }] },
    { text: 'Order 7 is refunded.', usage: [1200, 34] },
  );
  const started = await page.request.post(`/api/workflows/${id}/execute`, { headers, data: {} });
  const { executionId } = (await started.json()) as { executionId: string };
  await page.goto(`/executions/${executionId}`);
  await page.getByRole('group', { name: 'Helper' }).click();
  const panel = page.getByRole('complementary', { name: 'Helper' });
  const talk = panel.getByRole('region', { name: 'Conversation' });
  await expect(talk.getByText('Please refund order 7.')).toBeVisible();
  const lookUp = talk.getByRole('region', { name: 'Call of look_up' });
  await lookUp.getByRole('button', { name: 'result' }).click();
  await expect(lookUp).toContainText('isPaid');
  const refund = talk.getByRole('region', { name: 'Call of refund' });
  await picture(page, info, 'approval');
  await refund.getByRole('button', { name: 'Approve' }).click();
  await expect(talk.getByText('Order 7 is refunded.')).toBeVisible();
  await expect(talk).toContainText('1,264 tokens');
  await talk.getByRole('button', { name: 'Instructions' }).click();
  await expect(talk.getByText('You help customers of a shop.')).toBeVisible();
  await picture(page, info, 'answer');

  // A run can be repeated from a step.
  await talk.getByRole('button', { name: 'Model, step 3' }).click();
  models.sayInTurn({ text: 'It is refunded, once more said.' });
  await page.getByRole('button', { name: 'Run again from here' }).click();
  await expect(page.getByRole('link', { name: 'repeated' })).toBeVisible();
  await page.getByRole('group', { name: 'Helper' }).click();
  await expect(talk.getByText('It is refunded, once more said.')).toBeVisible();
  expect(models.requests).toHaveLength(4);
  await picture(page, info, 'repeated');
  await models.close();
  await shop.close();
});
