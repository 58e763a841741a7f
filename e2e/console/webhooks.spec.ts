import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../axe';
import { makeWorkflow, takeSession } from '../person';
import { test } from '../test';

const DEFINITION = { nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }], connections: [] };

async function openTriggers(page: Page, name: string): Promise<string> {
  await takeSession(page);
  const id = await makeWorkflow(page, name, DEFINITION);
  await page.getByRole('group', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Webhooks and schedules' }).click();
  await expect(page.getByRole('form', { name: 'New webhook' })).toBeVisible();
  return id;
}

test('a webhook takes deliveries of a provider, and is changed later', async ({ page }) => {
  const id = await openTriggers(page, 'Called by GitHub');
  const form = page.getByRole('form', { name: 'New webhook' });
  await form.getByLabel('Path').fill('github');
  await form.getByLabel('Verification').fill('GitH');
  await page.getByRole('option', { name: 'GitHub' }).click();
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(form.getByText('is required')).toBeVisible();
  await form.getByLabel('Secret', { exact: true }).fill('their secret');
  await form.getByRole('button', { name: 'Methods, input, addresses and web pages' }).click();
  await form.getByLabel('Allowed addresses').fill('example.com');
  await form.getByLabel('Allowed addresses').press('Enter');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(form.getByText('must be an IPv4 or IPv6 address or a CIDR block')).toBeVisible();
  await form.getByLabel('Allowed addresses').press('Backspace');
  await form.getByRole('button', { name: 'Add webhook' }).click();
  const card = page.getByRole('article', { name: 'Webhook github' });
  await expect(card).toContainText('POST · GitHub');

  const address = `/webhooks/${id}/github`;
  const data = '{"action":"opened"}';
  const signature = `sha256=${createHmac('sha256', 'their secret').update(data).digest('hex')}`;
  const json = { 'content-type': 'application/json' };
  const signed = () => page.request.post(address, { data, headers: { ...json, 'x-hub-signature-256': signature } });
  expect((await signed()).status()).toBe(202);
  expect((await page.request.post(address, { data, headers: json })).status()).toBe(401);

  await card.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('form', { name: 'Settings of webhook github' });
  await expect(settings.getByLabel('Secret', { exact: true })).toHaveValue('');
  await settings.getByRole('button', { name: 'Save webhook' }).click();
  await expect(settings).toHaveCount(0);
  expect((await signed()).status()).toBe(202);

  await card.getByRole('button', { name: 'Settings' }).click();
  await settings.getByLabel('Verification').fill('User');
  await page.getByRole('option', { name: 'User name and password' }).click();
  await settings.getByLabel('User name').fill('shop');
  await settings.getByRole('button', { name: 'Save webhook' }).click();
  await expect(settings.getByText('is required')).toBeVisible();
  await settings.getByLabel('Password', { exact: true }).fill('open sesame');
  await settings.getByLabel('Path').fill('shop');
  await settings.getByRole('button', { name: 'Save webhook' }).click();
  const changed = page.getByRole('article', { name: 'Webhook shop' });
  await expect(changed).toContainText('User name and password');
  const authorization = `Basic ${Buffer.from('shop:open sesame').toString('base64')}`;
  const sent = () => page.request.post(`/webhooks/${id}/shop`, { form: { a: '1' }, headers: { authorization } });
  expect((await sent()).status()).toBe(202);
  const saved = page.waitForResponse((answer) => answer.url().includes('webhooks.update'));
  await changed.getByRole('switch').press('Space');
  await saved;
  expect((await sent()).status()).toBe(404);
});

test('the settings of a webhook are accessible, and fit a phone', async ({ page }, info) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await openTriggers(page, 'Webhooks on a phone');
  const form = page.getByRole('form', { name: 'New webhook' });
  await form.getByLabel('Verification').fill('JSON');
  await page.getByRole('option', { name: 'JSON Web Token' }).click();
  await form.getByRole('button', { name: 'Methods, input, addresses and web pages' }).click();
  await expect(form.getByLabel('Allowed addresses')).toBeVisible();
  await expectAccessible(page, info, 'webhook-form');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(375);
  const overflow = await form.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
