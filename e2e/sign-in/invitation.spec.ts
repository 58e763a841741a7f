import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { dropSession, OWNER, picture, signIn } from '../person';
import { test } from '../test';

const GUEST = { name: 'Grace', password: 'a phrase for guests' };

/** Invites an address into a new workspace of the owner's, and returns the path of the link. */
async function invite(request: APIRequestContext, email: string, workspace: string): Promise<string> {
  const tokens = await request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await tokens.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const made = await request.post('/api/workspaces', { headers, data: { name: workspace } });
  const { id } = (await made.json()) as { id: string };
  const members = `/api/workspaces/${id}/members`;
  const invited = await request.post(members, { headers, data: { email, role: 'editor' } });
  const { inviteUrl } = (await invited.json()) as { inviteUrl: string };
  const { pathname, search } = new URL(inviteUrl);
  return `${pathname}${search}`;
}

const inside = (page: Page) => expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();

test('an invited user creates an account and is signed in; the link works once', async ({ page, request }, info) => {
  const email = `grace-${Date.now()}@example.com`;
  const link = await invite(request, email, 'Looms');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Join Looms' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByRole('button', { name: 'Join' })).toBeEnabled();
  await page.getByLabel('Your name').fill(GUEST.name);
  await page.getByLabel('Password', { exact: true }).fill('password1234');
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(page.getByText('is too easy to guess')).toBeVisible();
  await picture(page, info, 'invitation');
  await page.getByLabel('Password', { exact: true }).fill(GUEST.password);
  await page.getByRole('button', { name: 'Join' }).click();
  await inside(page);
  await expect(page.getByText('Looms')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
  await picture(page, info, 'over');
});

test('a user with an account signs in and joins; the session of another user is replaced', async ({
  page,
  request,
}, info) => {
  const email = `ada-${Date.now()}@example.com`;
  await page.goto(await invite(request, email, 'First'));
  await expect(page.getByRole('button', { name: 'Join' })).toBeEnabled();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Password', { exact: true }).fill(GUEST.password);
  await page.getByRole('button', { name: 'Join' }).click();
  await inside(page);

  const link = await invite(request, email, 'Second');
  await dropSession(page);
  await signIn(page);
  await inside(page);
  await page.goto(link);
  await expect(page.getByText(`You are signed in as ${OWNER.email}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign out and continue' })).toBeEnabled();
  await picture(page, info, 'another-user');
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await page.getByRole('link', { name: 'Sign in to join' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(GUEST.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Join' })).toBeEnabled();
  await picture(page, info, 'join');
  await page.getByRole('button', { name: 'Join' }).click();
  await inside(page);
  await expect(page.getByText('Second')).toBeVisible();
});
