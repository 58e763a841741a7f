import { expect } from '@playwright/test';
import { enterByForm, OWNER, picture, signIn } from '../person';
import { test } from '../test';

test('a wrong password is reported at the field; the right one signs in', async ({ page }, info) => {
  await signIn(page, { ...OWNER, password: 'not-the-password' });
  await expect(page.getByText('Email or password is wrong.')).toBeVisible();
  await picture(page, info, 'refused');
  await enterByForm(page);
});

test('text that is typed before the page is ready stays', async ({ page }) => {
  /** Opens a page whose scripts arrive after its fields are filled in. */
  const openSlowly = async (path: string, type: () => Promise<void>) => {
    let load = () => {};
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/_next/static/**/*.js', (route) => loading.then(() => route.continue()));
    await page.goto(path, { waitUntil: 'commit' });
    await type();
    load();
    await page.unrouteAll({ behavior: 'wait' });
  };
  await openSlowly('/login', async () => {
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  await openSlowly('/workflows', () => page.getByLabel('Search workflows').fill('Welcome'));
  await expect(page.getByRole('link', { name: 'Welcome' }).first()).toBeVisible();
  await expect(page.locator('tbody tr').filter({ hasNotText: 'Welcome' })).toHaveCount(0);
  await expect(page.getByLabel('Search workflows')).toHaveValue('Welcome');
});

test('an anonymous visitor is redirected to the requested page after signing in', async ({ page }) => {
  await page.goto('/executions');
  await expect(page).toHaveURL('/login?returnTo=%2Fexecutions');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
});

test('signing out ends the session for a copy of the cookie, too', async ({ page, context, browser }) => {
  await enterByForm(page);
  const stolen = await browser.newContext({ storageState: await context.storageState() });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  const other = await stolen.newPage();
  await other.goto('/workflows');
  await expect(other).toHaveURL('/login');
  await stolen.close();
});

test('after too many wrong passwords the form says when to try again', async ({ page }, info) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toBeEnabled();
  await page.getByLabel('Email').fill('unknown@example.com');
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await page.getByLabel('Password', { exact: true }).fill(`guess number ${attempt}`);
    await button.click();
    await expect(page.getByText(/is wrong|Too many attempts/)).toBeVisible();
    await expect(button).toBeEnabled();
  }
  await expect(page.getByText(/Too many attempts. Try again in/)).toBeVisible();
  await picture(page, info, 'too-many');
});
