import { expect, test, type Page } from '@playwright/test';
import { violations } from './axe';
import { enter, OWNER, picture } from './person';

const PAGES = [
  '/credentials',
  '/connectors',
  '/settings/workspace',
  '/settings/policies',
  '/settings/runs',
  '/settings/members',
  '/settings/roles',
  '/settings/api-keys',
  '/settings/sso',
  '/settings/audit',
  '/settings/security',
];

const loaded = async (page: Page) => {
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expect(page.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0);
  await expect(page.getByText('can’t be shown')).toHaveCount(0);
};

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} settings`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('can be read and used by everybody, and fit a phone', async ({ page }, info) => {
      test.setTimeout(180_000);
      await enter(page);
      for (const path of PAGES) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(path);
        await loaded(page);
        await picture(page, info, path.slice(1).replace('/', '-'));
        expect(await violations(page), path).toEqual([]);
        await page.setViewportSize({ width: 390, height: 800 });
        await picture(page, info, `${path.slice(1).replace('/', '-')}-phone`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
    });
  });
}

test('somebody is invited and the invitation taken back', async ({ page }, info) => {
  const email = `guest-${Date.now()}@example.com`;
  await enter(page);
  await page.goto('/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByLabel('Invitation link', { exact: true })).toHaveValue(/token=/);
  await picture(page, info, 'invited');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Take back the invitation of ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText(email)).toHaveCount(0);
});

test('policies are checked while they are typed, and saved when one says so', async ({ page }) => {
  await enter(page);
  await page.goto('/settings/policies');
  const length = page.getByLabel('Shortest new password');
  // Another one than a run before may have left.
  const wanted = String(13 + (Date.now() % 50));
  await length.fill('11');
  await expect(page.getByText('Something is not right yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await length.fill(wanted);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  await page.reload();
  await expect(length).toHaveValue(`${wanted} characters`);
  await length.fill('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
});

test('a workspace is made where one is, and deleted by its name and password', async ({ page }, info) => {
  const name = `Workshop ${Date.now()}`;
  await enter(page);
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('An empty loom')).toBeVisible();
  await page.goto('/settings/workspace');
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete workspace' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel(`Type ${name}`).fill(name);
  await dialog.getByLabel('Your password').fill('not the one');
  await confirm.click();
  await expect(dialog.getByText('is wrong')).toBeVisible();
  await picture(page, info, 'deleting');
  await dialog.getByLabel('Your password').fill(OWNER.password);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
});

test('a key is shown once, then masked, then revoked', async ({ page }, info) => {
  await enter(page);
  await page.goto('/settings/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Nightly');
  await page.getByRole('button', { name: 'Create' }).click();
  const key = await page.getByLabel('Key', { exact: true }).inputValue();
  expect(key).toMatch(/^wk_/);
  await picture(page, info, 'key');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(`wk_…${key.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke Nightly' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke Nightly' })).toHaveCount(0);
});

test('a role is put together, and tried out', async ({ page }, info) => {
  const name = `Auditor ${Date.now()}`;
  await enter(page);
  await page.goto('/settings/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('checkbox', { name: 'read audit' }).check();
  await page.getByRole('button', { name: 'And …' }).click();
  const second = page.getByRole('group', { name: 'and …' });
  await second.getByLabel('Value').fill('draft');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(
    page.getByText('update with workflow, where its creator is the caller’s id and its status is “draft”'),
  ).toBeVisible();
  await picture(page, info, 'role');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('Allowed, by owner')).toBeVisible();
  await picture(page, info, 'tried');
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: `Edit ${name}` })).toHaveCount(0);
});

test('a sign-in provider is set up, with what to copy into its own settings', async ({ page }, info) => {
  await enter(page);
  await page.goto('/settings/sso');
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByRole('menuitem', { name: 'OpenID Connect' }).click();
  const editor = page.getByRole('dialog');
  await editor.getByLabel('Issuer').fill('not an address');
  await editor.getByLabel('Client id').fill('weft');
  await editor.getByRole('textbox', { name: 'Client secret' }).fill('a client secret');
  await editor.getByRole('button', { name: 'Add', exact: true }).last().click();
  await expect(editor.getByText(/Invalid URL|must be/).first()).toBeVisible();
  await editor.getByLabel('Issuer').fill('https://id.example.com');
  await editor.getByRole('button', { name: 'Add', exact: true }).last().click();
  await expect(editor.getByLabel('Redirect URL', { exact: true })).toHaveValue(/oauth2_callback/);
  await picture(page, info, 'provider');
  await editor.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: /Delete/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Passwords only, so far')).toBeVisible();
});

test('the audit log is filtered, looked into, verified and saved', async ({ page }, info) => {
  await enter(page);
  await page.goto('/settings/audit');
  await page.getByLabel('Action', { exact: true }).fill('auth.login');
  const entry = page.getByRole('button', { name: 'auth.login' }).first();
  await expect(entry).toBeVisible();
  await entry.click();
  await expect(page.getByRole('region', { name: 'Entry' })).toContainText('"category": "authentication"');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('are as they were written')).toBeVisible();
  await picture(page, info, 'audit');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
});
