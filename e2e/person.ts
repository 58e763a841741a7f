import { expect, type Page, type TestInfo } from '@playwright/test';

/** The owner whom the service was started with. */
export const OWNER = { email: 'owner@example.com', password: 'Owner-Password-1234' };

/** Fills in the sign-in form once the page is alive. Unless `isNew` the person has seen the tour before. */
export async function signIn(page: Page, { email, password } = OWNER, isNew = false): Promise<void> {
  if (!isNew) await page.addInitScript(() => localStorage.setItem('weft.tour', 'over'));
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toBeEnabled();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button.click();
}

/** Signs in and waits for the first page. */
export async function enter(page: Page): Promise<void> {
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
}

/** Opens the workflow that a new workspace begins with. */
export async function openWelcome(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Welcome' }).click();
  await expect(page.getByRole('group', { name: 'Ask a person' })).toBeVisible();
}

/** Keeps a picture of the page among the artifacts of the test run. */
export const picture = (page: Page, info: TestInfo, name: string) =>
  page.screenshot({ path: info.outputPath(`${name}.png`), animations: 'disabled' });
