import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectDialogAccessible } from '../axe';
import { enter, enterAt, OWNER, picture } from '../person';
import { test } from '../test';

const PAGES = [
  '/credentials',
  '/connectors',
  '/settings/workspace',
  '/settings/usage',
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

for (const path of PAGES) {
  test(`${path} is accessible, and fits the screen of a phone`, async ({ page }, info) => {
    await enterAt(page, path);
    await loaded(page);
    await expectAccessible(page, info, 'wide');
    await page.setViewportSize({ width: 390, height: 800 });
    await picture(page, info, 'phone');
    // The page lays itself out again after the resize.
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
}

test('a user is invited and the invitation revoked', async ({ page }, info) => {
  const email = `guest-${Date.now()}@example.com`;
  await enterAt(page, '/settings/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByLabel('Invitation link', { exact: true })).toHaveValue(/token=/);
  await expectDialogAccessible(page, info, 'invited');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText(email)).toHaveCount(0);
});

test('policies are validated while typing, and saved on request', async ({ page }) => {
  await enterAt(page, '/settings/policies');
  const length = page.getByLabel('Minimum length');
  // A value that differs from those of earlier test runs.
  const wanted = String(13 + (Date.now() % 50));
  await length.fill('11');
  await expect(page.getByText('Fix the errors to save')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await length.fill(wanted);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await page.reload();
  await expect(length).toHaveValue(`${wanted} characters`);
  await length.fill('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
});

test('a workspace is created in the switcher, and deleted by its name and password', async ({ page }, info) => {
  const name = `Workshop ${Date.now()}`;
  await enter(page);
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('No workflows yet')).toBeVisible();
  await page.goto('/settings/workspace');
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete workspace' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel(`Type ${name}`).fill(name);
  await dialog.getByLabel('Your password').fill('not the one');
  await confirm.click();
  await expect(dialog.getByText('is wrong')).toBeVisible();
  await expectDialogAccessible(page, info, 'deleting');
  await dialog.getByLabel('Your password').fill(OWNER.password);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
});

test('a key is shown once, then masked, then revoked', async ({ page }, info) => {
  const name = `Nightly ${Date.now()}`;
  await enterAt(page, '/settings/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  const key = await page.getByLabel('Key', { exact: true }).inputValue();
  expect(key).toMatch(/^wk_/);
  await expectDialogAccessible(page, info, 'key');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(`wk_…${key.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page.getByRole('button', { name: `Revoke ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toHaveCount(0);
});

test('a role is created and tried out', async ({ page }, info) => {
  const name = `Auditor ${Date.now()}`;
  await enterAt(page, '/settings/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('checkbox', { name: 'read audit' }).check();
  await page.getByRole('button', { name: 'Add condition' }).click();
  const second = page.getByRole('group', { name: 'and …' });
  await second.getByLabel('Value').fill('draft');
  await page.getByRole('button', { name: 'Add permission' }).click();
  await expect(
    page.getByText('update workflow, where its creator is the caller’s id and its status is “draft”'),
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

test('a sign-in provider is configured, and its URLs are shown for copying', async ({ page }, info) => {
  await enterAt(page, '/settings/sso');
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
  await expectDialogAccessible(page, info, 'provider');
  await editor.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: /Delete/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('No sign-in providers')).toBeVisible();
});

test('the audit log is filtered, inspected, verified and downloaded', async ({ page }, info) => {
  await enterAt(page, '/settings/audit');
  await page.getByRole('combobox', { name: 'Action' }).fill('Signed in');
  await page.getByRole('option', { name: 'Signed in', exact: true }).click();
  const entry = page.getByRole('button', { name: 'Signed in' }).first();
  await expect(entry).toBeVisible();
  await entry.click();
  await expect(page.getByRole('region', { name: 'Entry' })).toContainText('"category": "authentication"');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('are unchanged')).toBeVisible();
  await picture(page, info, 'audit');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
});
