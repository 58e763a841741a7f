import { expect } from '@playwright/test';
import { expectAccessible } from '../axe';
import { enter, picture } from '../person';
import { test } from '../test';

test('a credential is stored, shown without its secret, tested and deleted', async ({ page }, info) => {
  await enter(page);
  await page.getByRole('link', { name: 'Credentials' }).click();
  await page.getByRole('button', { name: 'New credential' }).first().click();
  await expect(page.getByRole('button', { name: /Shopify/ })).toBeVisible();
  await picture(page, info, 'kinds');
  await page.getByRole('button', { name: /^API key/ }).click();
  await page.getByLabel('Name').fill('Weather');
  await page.getByRole('textbox', { name: 'API key' }).fill('canary-secret-4711');
  await page.getByLabel('Header').fill('not a header');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('must be a header name')).toBeVisible();
  await picture(page, info, 'field-error');
  await page.getByLabel('Header').fill('X-Weather');
  await page.getByRole('button', { name: 'Save' }).click();

  await expect(page.getByRole('heading', { name: 'Weather' })).toBeVisible();
  await expect(page.getByText('Stored. Leave empty to keep it.')).toBeVisible();
  expect(await page.content()).not.toContain('canary-secret-4711');
  await page.getByLabel('Test URL').fill(new URL('/healthz', page.url()).href);
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByText('It works')).toBeVisible();
  await page.getByLabel('Name').fill('Weather service');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Weather service' })).toBeVisible();
  await picture(page, info, 'credential');

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Credentials', exact: true })).toBeVisible();
  await expect(page.getByText('Weather service')).toHaveCount(0);
});

test(
  'an app is registered; connecting opens the provider’s page, and closing it is reported',
  { tag: '@long' },
  async ({ page }, info) => {
    await enter(page);
    await page.getByRole('link', { name: 'Connectors' }).click();
    await page.getByRole('button', { name: 'Set up HubSpot' }).click();
    const panel = page.getByRole('dialog', { name: 'Set up HubSpot' });
    await expect(panel.getByLabel('Redirect URL', { exact: true })).toHaveValue(/\/oauth\/callback$/);
    await panel.getByLabel('Client id').fill('client-1');
    await panel.getByRole('textbox', { name: 'Client secret' }).fill('secret-1');
    await picture(page, info, 'registration');
    await panel.getByRole('button', { name: 'Register' }).click();
    await expect(panel.getByText('client-1')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Change registration' })).toBeVisible();
    await expectAccessible(page, info, 'registered');

    // Simulates the provider: its page stays open, or redirects back.
    let back: ((state: string) => string) | undefined;
    await page.context().route('**/oauth/authorize**', (route) => {
      const { searchParams } = new URL(route.request().url());
      const query = back?.(searchParams.get('state') ?? '');
      const script = query ? `<script>location.href = '${searchParams.get('redirect_uri')}?${query}'</script>` : '';
      return route.fulfill({ contentType: 'text/html', body: `<p>The provider’s page</p>${script}` });
    });
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const popup = await opened;
    await popup.waitForURL(/code_challenge_method=S256/);
    const asked = new URL(popup.url()).searchParams;
    expect(asked.get('state')).toMatch(/^[0-9a-f-]{36}$/);
    await picture(page, info, 'connecting');
    await popup.close();
    await expect(page.getByText('The window was closed before')).toBeVisible();

    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    back = () => `code=stolen&state=${crypto.randomUUID()}`;
    await connect.click();
    await expect(page.getByText('Invalid state parameter')).toBeVisible();
    back = (state) => `error=access_denied&state=${state}`;
    await connect.click();
    await expect(page.getByText('The provider refused: access_denied')).toBeVisible();

    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await page.getByRole('button', { name: 'Set up Telegram' }).click();
    const bot = page.getByRole('dialog', { name: 'Set up Telegram' });
    await expect(bot.getByText('write /newbot to @BotFather')).toBeVisible();
    const token = bot.getByRole('textbox', { name: 'Bot token' });
    await token.fill('no token');
    await bot.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(bot.getByText('must be a token of @BotFather')).toBeVisible();
    await token.fill('123456:AAAAAAAAAAAAAAAAAAAA-canary');
    await bot.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(bot.getByRole('link', { name: 'Telegram' })).toBeVisible();
    await expect(bot.getByRole('button', { name: 'Connect another account' })).toBeVisible();
    await expectAccessible(page, info, 'token');
    await expect(page.getByText('canary')).toHaveCount(0);
  },
);
