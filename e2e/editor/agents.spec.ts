import { expect, type Locator, type Page } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { startModels, type Models } from '../../server/testing/servers/models';
import { expectAccessible, expectDialogAccessible, expectPartAccessible } from '../axe';
import { card, cards, dropData, node, openDrawn, paletteOffer, wire } from '../drawn';
import { asOwner, joinedBy, makeWorkflow, picture, runWorkflow, takeSession } from '../person';
import { test } from '../test';

/** A credential for the models of a test, as the owner. */
async function makeModelCredential(page: Page, models: Models, name: string): Promise<string> {
  const data = {
    name,
    type: 'llm',
    config: { provider: 'openai_compatible', apiKey: 'sk-test', baseUrl: `${models.url}/v1` },
  };
  const made = await page.request.post('/api/credentials', { headers: await asOwner(page), data });
  expect(made.status(), await made.text()).toBe(201);
  return ((await made.json()) as { id: string }).id;
}

test('the steps of an agent are a conversation, in which a person approves a call', async ({ page }, info) => {
  const models = await startModels();
  const shop = await listenOn((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url, isPaid: true }));
  });
  await takeSession(page);
  const headers = await asOwner(page);
  const credentialId = await makeModelCredential(page, models, `Model ${models.url}`);
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
  await page.getByRole('group', { name: 'Helper', exact: true }).click();
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

  // The cards below the agent count the calls, and show them.
  const tools = page.getByRole('group', { name: 'Tool refund of agent Helper', exact: true });
  await expect(page.getByRole('group', { name: 'Model of agent Helper', exact: true })).toContainText('3 calls');
  await expect(tools).toContainText('1 call');
  await tools.click();
  const calls = page.getByRole('complementary', { name: 'Tool refund' });
  await expect(calls.getByRole('region', { name: 'Call of refund' })).toContainText('"order":"7"');
  await expectAccessible(page, info, 'tool-calls');
  await calls.getByRole('button', { name: 'Helper' }).click();

  // A run can be repeated from a step.
  await talk.getByRole('button', { name: 'Model, step 3' }).click();
  models.sayInTurn({ text: 'It is refunded, once more said.' });
  await page.getByRole('button', { name: 'Run again from here' }).click();
  await expect(page.getByRole('link', { name: 'repeated' })).toBeVisible();
  await page.getByRole('group', { name: 'Helper', exact: true }).click();
  await expect(talk.getByText('It is refunded, once more said.')).toBeVisible();
  expect(models.requests).toHaveLength(4);
  await picture(page, info, 'repeated');
  await models.close();
  await shop.close();
});

test('an agent is built by its cards on the canvas, by pointer, by drag and by keyboard', async ({
  page,
  browser,
}, info) => {
  // Two users sign in.
  test.slow();
  const models = await startModels();
  await takeSession(page);
  const account = `Agents ${models.url}`;
  await makeModelCredential(page, models, account);
  const agent = { ...node('support', 'agent', 320, 0, { instructions: 'You help customers.' }), name: 'Support' };
  const id = await openDrawn(page, 'Support desk', [node('start', 'start', 0), agent], 'start>support');
  const part = (title: string) => page.getByRole('group', { name: `${title} of agent Support`, exact: true });
  const panel = (title: string) => page.getByRole('complementary', { name: title, exact: true });

  await expect(part('Model')).toContainText('No account');
  await page.getByRole('button', { name: 'Choose the model of Support' }).click();
  await panel('Model').getByRole('combobox', { name: 'Credential' }).click();
  await page.getByRole('option', { name: account }).click();
  await panel('Model')
    .getByRole('button', { name: /^Model:/ })
    .click();
  await page.getByRole('option', { name: 'model-a' }).click();
  await expect(part('Model')).toContainText('model-a');
  await expect(part('Model')).toContainText(account);
  await expect(page.getByRole('button', { name: 'Choose the model of Support' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Add memory to Support' }).click();
  await panel('Memory').getByRole('textbox', { name: 'Key' }).fill('customer');
  await expect(part('Memory')).toContainText('Remembers 20 messages');

  // By drag: the offer becomes a tool, because it is dropped on the agent.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add node' }).click();
  await dropData(page, paletteOffer(page, 'node:http_request'), card(page, 'support'));
  await panel('Tool call_api').getByRole('textbox', { name: 'URL' }).fill('https://shop.example.com');
  await expect(part('Tool call_api')).toContainText('shop.example.com');
  await expect(cards(page)).toHaveCount(2);

  // By the keyboard alone.
  await page.keyboard.press('Escape');
  await expect(part('Tool call_api')).toBeFocused();
  await page.keyboard.press('t');
  await expect(page.getByRole('dialog', { name: 'Add a tool to Support' })).toBeVisible();
  await page.keyboard.type('code');
  await expect(paletteOffer(page, 'node:code')).toBeVisible();
  await expect(paletteOffer(page, 'node:condition')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(panel('Tool compute').getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('add_up');
  await expect(part('Tool add_up')).toBeVisible();
  await expectAccessible(page, info, 'agent-cards');
  await page.keyboard.press('Escape');
  await expect(part('Tool add_up')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(part('Tool call_api')).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Tool call_api' });
  await expectDialogAccessible(page, info, 'agent-tool');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('Delete');
  await expect(part('Tool call_api')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(part('Tool call_api')).toBeVisible();

  // Tools change places, by the keyboard and by drag.
  const places = async (...titles: string[]) => {
    const tops = await Promise.all(titles.map(async (title) => (await part(title).boundingBox())?.y ?? 0));
    return tops.every((top, at) => at === 0 || top > (tops[at - 1] ?? 0));
  };
  // Out from under the minimap.
  await page.mouse.move(300, 600);
  await page.mouse.wheel(0, 220);
  await part('Tool call_api').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => places('Tool add_up', 'Tool call_api')).toBe(true);
  await expect(panel('Tool call_api')).toBeVisible();
  await part('Tool call_api').dragTo(part('Tool add_up'));
  await expect.poll(() => places('Tool call_api', 'Tool add_up')).toBe(true);

  // What is stored is the config of the agent.
  const headers = await asOwner(page);
  const stored = async () => {
    const saved = await page.request.get(`/api/workflows/${id}`, { headers });
    return ((await saved.json()) as { definition: { nodes: { config: object }[] } }).definition.nodes[1]?.config;
  };
  await expect.poll(stored).toMatchObject({
    model: 'model-a',
    memory: { key: 'customer' },
    tools: [
      { name: 'call_api', type: 'http_request', config: { url: 'https://shop.example.com' } },
      { name: 'add_up', type: 'code' },
    ],
  });

  // Who may only read sees the same cards, without what edits them.
  const own = await joinedBy(page, browser, 'Rita', `/workflows/${id}`, 'viewer');
  await own.getByRole('group', { name: 'Tool call_api of agent Support', exact: true }).click();
  await expect(own.getByRole('complementary', { name: 'Tool call_api' }).getByLabel('URL')).toHaveValue(
    'https://shop.example.com',
  );
  await expect(own.getByRole('button', { name: 'Add a tool to Support' })).toHaveCount(0);
  await picture(own, info, 'agent-cards-reader');
  await models.close();
});

test('a model builds a workflow from a description, which is applied, undone, and fixed after a failure', async ({
  page,
}, info) => {
  const models = await startModels();
  await takeSession(page);
  // The newest one is chosen at first, also if other tests have left some.
  const name = `Builder ${models.url}`;
  await makeModelCredential(page, models, name);
  const id = await openDrawn(page, 'Built', [node('start', 'start', 0)]);
  const ask = { id: 'ask', type: 'http_request', name: 'Ask the shop', config: { url: 'http://127.0.0.1:1/orders' } };
  const mail = { id: 'mail', type: 'send_email', name: 'Tell me', config: { to: 'me@example.com', template: 'Hi' } };
  const daily = { kind: 'schedule', settings: { cron: '0 7 * * *' } };
  const submit = (nodes: object[], summary: string) => ({
    calls: [
      {
        name: 'submit',
        arguments: { nodes, connections: [wire('start>ask'), wire('ask>mail')], triggers: [daily], summary },
      },
    ],
  });
  models.sayInTurn(
    { calls: [{ name: 'search_nodes', arguments: { query: 'send mail' } }] },
    submit([ask, mail], 'It asks the shop and **tells you**.'),
  );

  // By the keyboard.
  await page.keyboard.press('Shift+B');
  const dialog = page.getByRole('dialog', { name: 'Build with AI' });
  const instruction = dialog.getByLabel('What should the workflow do?');
  await expect(instruction).toBeFocused();
  await expect(dialog.getByRole('combobox', { name: 'Credential' })).toHaveValue(name);
  await dialog.getByRole('combobox', { name: 'Model' }).fill('model-a');
  await expectDialogAccessible(page, info, 'build-form');
  await instruction.fill('Ask the shop for orders and tell me');
  await instruction.press('Control+Enter');
  await expect(dialog.getByText('tells you')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('Ask the shop added');
  await expect(dialog.getByRole('region', { name: 'Left to do' })).toContainText('Tell me: Subject is required');
  await expect(dialog.getByRole('region', { name: 'Triggers' })).toContainText('Starts by a schedule (0 7 * * *)');
  await expectDialogAccessible(page, info, 'build-proposal');
  expect(JSON.stringify(models.requests)).toContain('Ask the shop for orders and tell me');

  // A further instruction goes on from the proposal.
  models.sayInTurn(submit([{ ...mail, config: { ...mail.config, subject: 'Orders' } }], 'It has a subject.'));
  await dialog.getByLabel('What should be different?').fill('The subject is Orders');
  await dialog.getByRole('button', { name: 'Refine' }).click();
  await expect(dialog.getByText('It has a subject.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Left to do' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog).toBeHidden();
  await expect(cards(page)).toHaveCount(3);
  const next = page.getByRole('region', { name: 'Next steps' });
  await expect(next.getByRole('button', { name: 'Run with example data' })).toBeVisible();
  await expect(next.getByRole('button', { name: 'Go live' })).toBeVisible();
  // Example data goes as far as nothing outside is called.
  await expect(card(page, 'start')).toContainText('Preview');
  await expect(card(page, 'ask')).toContainText('Not run');
  await expect(next).toContainText('it went through 1 step. Not run: “Ask the shop”. Nothing outside was called.');
  await expectPartAccessible(page, info, 'build-applied', '[aria-label="Next steps"]');
  // The panel leaves the cards in view.
  const top = async () => (await next.boundingBox())?.y ?? 0;
  const bottom = async () => Math.max(...(await Promise.all((await cards(page).all()).map(lowestPoint))));
  const lowestPoint = async (one: Locator) => {
    const box = await one.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(async () => (await bottom()) < (await top())).toBe(true);
  await next.getByRole('button', { name: 'Close' }).click();
  await expect(card(page, 'mail')).toContainText('Tell me');
  const headers = await asOwner(page);
  const savedNodes = async () => {
    const saved = await page.request.get(`/api/workflows/${id}`, { headers });
    return ((await saved.json()) as { definition: { nodes: object[] } }).definition.nodes.length;
  };
  // Applying saves.
  await expect.poll(savedNodes).toBe(3);
  // What was there stays where it was.
  await expect(card(page, 'start')).toHaveCSS('transform', 'matrix(1, 0, 0, 1, 0, 0)');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect.poll(savedNodes).toBe(1);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(cards(page)).toHaveCount(3);
  await expect.poll(savedNodes).toBe(3);
  const schedules = await page.request.get(`/api/workflows/${id}/schedules`, { headers });
  expect(await schedules.json()).toMatchObject({ total: 1, data: [{ cron: '0 7 * * *' }] });

  // The address answers nothing: the error begins the next instruction.
  await page.goto(`/workflows/${id}?run=${await runWorkflow(page, id)}`);
  // The panel opens with the result once the run is loaded.
  await expect(card(page, 'ask')).toContainText('Failed');
  await card(page, 'ask').click();
  await page.getByRole('button', { name: 'Fix with AI' }).click();
  await expect(dialog.getByLabel('What should change?')).toHaveValue(/“Ask the shop” \(ask\) failed with CONNECT/);
  await expect(dialog.getByRole('combobox', { name: 'Model' })).toHaveValue('model-a');
  models.sayInTurn({ status: 401, error: 'no such key' });
  await dialog.getByRole('button', { name: 'Build', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('The model server does not accept the key: no such key');
  await models.close();
});
