import { expect, type Page } from '@playwright/test';
import { startModels } from '../../server/testing/servers/models';
import { expectAccessible, violations } from '../axe';
import { asOwner, makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

/** A workflow whose agent has no memory yet. */
const definition = (credentialId: string) => ({
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    { id: 'agent', type: 'agent', position: { x: 320, y: 0 }, credentialId, config: { model: 'model-a' } },
  ],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'agent', targetPort: 'input' }],
});

/** Makes a chat in the editor. Answers the address of its page. */
async function makeChat(page: Page): Promise<string> {
  await page.getByRole('group', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Forms, chats, webhooks and schedules' }).click();
  await page.getByRole('button', { name: 'Add chat' }).click();
  const dialog = page.getByRole('form', { name: 'New chat' });
  await dialog.getByLabel('Title').fill('Shop assistant');
  await dialog.getByLabel('Examples').fill('Where is my order?');
  await dialog.getByLabel('Messages can have files').check();
  await dialog.getByRole('button', { name: 'Add chat' }).click();
  const card = page.getByRole('article', { name: 'Chat chat' });
  await expect(card).toContainText('Anyone · With files');
  return (await card.getByRole('link', { name: 'Open chat' }).getAttribute('href')) ?? '';
}

test('a chat is made, remembers what was said, and shows what it cannot answer', async ({ page, browser }, info) => {
  test.slow();
  const models = await startModels();
  await takeSession(page);
  const headers = await asOwner(page);
  const config = { provider: 'openai_compatible', apiKey: 'sk-test', baseUrl: `${models.url}/v1` };
  const data = { name: `Model ${models.url}`, type: 'llm', config };
  const { id: credentialId } = (await (await page.request.post('/api/credentials', { headers, data })).json()) as {
    id: string;
  };
  const id = await makeWorkflow(page, 'Shop assistant', definition(credentialId));
  const url = await makeChat(page);
  await expectAccessible(page, info, 'chats');
  await page.getByRole('group', { name: 'AI agent', exact: true }).click();
  const draft = async () => (await page.request.get(`/api/workflows/${id}/draft`, { headers })).text();
  const before = await draft();
  await page.getByRole('button', { name: 'Remember conversations' }).click();
  await expect(page.getByRole('button', { name: 'Remember conversations' })).toHaveCount(0);
  // "Saved" stands there until the change is noticed, too.
  await expect.poll(draft).not.toBe(before);
  await expect(page.getByText('Saved')).toBeVisible();
  const activated = await page.request.put(`/api/workflows/${id}`, { headers, data: { status: 'active' } });
  expect(activated.status()).toBe(200);

  const context = await browser.newContext({ viewport: { width: 375, height: 740 } });
  const visitor = await context.newPage();
  await visitor.goto(url);
  await expect(visitor).toHaveTitle('Shop assistant');
  const log = visitor.getByRole('log', { name: 'Conversation' });
  await expect(log).toContainText('Hello! How can I help?');
  await expectAccessible(visitor, info, 'chat-first');

  models.sayInTurn({ text: 'It is **on its way**.\n\n<img src="x" onerror="document.title = \'x\'">' });
  await visitor.getByRole('button', { name: 'Where is my order?' }).click();
  await expect(log.locator('strong')).toHaveText('on its way');
  await expect(log).toContainText('<img src="x"');
  await expect(log.locator('img')).toHaveCount(0);

  models.sayInTurn({ text: 'Tomorrow.' });
  const field = visitor.getByRole('textbox', { name: 'Your message' });
  await field.fill('And when');
  await field.press('Shift+Enter');
  await field.pressSequentially('does it arrive?');
  await visitor.locator('input[type=file]').setInputFiles({
    name: 'order.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('A-7'),
  });
  await expect(visitor.getByRole('list', { name: 'Files' })).toContainText('order.txt');
  await field.press('Enter');
  await expect(log).toContainText('Tomorrow.');
  await expect(field).toHaveValue('');
  const asked = models.requests.at(-1)?.body['messages'] as { content: unknown }[];
  expect(JSON.stringify(asked)).toContain('on its way');
  expect(JSON.stringify(asked.at(-1))).toContain('And when\\ndoes it arrive?');

  // A reload keeps the conversation.
  await visitor.reload();
  await expect(log).toContainText('Tomorrow.');
  models.sayInTurn({ status: 400, error: 'a secret reason' }, { text: 'At noon.' });
  await field.fill('At what time?');
  await field.press('Enter');
  const alert = log.getByRole('alert');
  await expect(alert).toContainText('something went wrong');
  await expect(alert).not.toContainText('secret');
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme });
    await expect.poll(() => violations(visitor)).toEqual([]);
    await picture(visitor, info, `chat-${colorScheme}`);
  }
  const overflow = await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  models.sayInTurn({ text: 'At noon.' });
  await visitor.getByRole('button', { name: 'Try again' }).click();
  await expect(log).toBeFocused();
  await expect(log).toContainText('At noon.');
  await expect(alert).toHaveCount(0);
  await visitor.getByRole('button', { name: 'New chat' }).click();
  await expect(log).not.toContainText('At noon.');
  await expect(visitor.getByRole('button', { name: 'Where is my order?' })).toBeVisible();

  // Switched off in the editor, it is closed.
  await page.goto(`/workflows/${id}`);
  await page.getByRole('button', { name: 'Triggers' }).click();
  const isEnabled = page.getByRole('switch', { name: 'Chat chat is enabled' });
  await isEnabled.press('Space');
  await expect(isEnabled).not.toBeChecked();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'This chat is closed' })).toBeVisible();
  await context.close();
  await models.close();
});
