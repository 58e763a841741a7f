import { expect, type Page } from '@playwright/test';
import { generate } from 'otplib';
import { dropSession, OWNER, picture } from '../person';
import { test } from '../test';

const PERSON = { name: 'Mary', password: 'a phrase of her own' };

/** A separate user, so that the owner's sign-in does not change for the other tests. */
async function join(page: Page): Promise<{ email: string; headers: { authorization: string } }> {
  const email = `mary-${Date.now()}@example.com`;
  const { request } = page.context();
  const tokens = await request.post('/api/auth/login', { data: OWNER });
  const headers = { authorization: `Bearer ${((await tokens.json()) as { accessToken: string }).accessToken}` };
  const made = await request.post('/api/workspaces', { headers, data: { name: 'Vault' } });
  const { id } = (await made.json()) as { id: string };
  const invited = await request.post(`/api/workspaces/${id}/members`, { headers, data: { email, role: 'admin' } });
  const { inviteUrl } = (await invited.json()) as { inviteUrl: string };
  const token = new URL(inviteUrl).searchParams.get('token');
  const accepted = await request.post('/api/auth/accept-invite', { data: { token, ...PERSON } });
  const { accessToken } = (await accepted.json()) as { accessToken: string };
  return { email, headers: { authorization: `Bearer ${accessToken}` } };
}

async function signIn(page: Page, email: string) {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a second factor is set up and required at the next sign-in; a backup code replaces it', async ({
  page,
}, info) => {
  const { email, headers } = await join(page);
  const { request } = page.context();
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  await page.goto('/settings/security');
  await expect(page.getByText('Your workspaces do not offer a second factor.')).toBeVisible();
  const made = await request.post('/api/workspaces', { headers, data: { name: 'Careful' } });
  const { id } = (await made.json()) as { id: string };
  await request.put(`/api/workspaces/${id}`, { headers, data: { settings: { mfaPolicy: 'optional' } } });
  await page.reload();
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await picture(page, info, 'enrolment');
  await page.getByLabel('First code').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('This is not the code')).toBeVisible();
  await page.getByLabel('First code').fill(await generate({ secret }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [backup = ''] = await codes.allTextContents();
  await picture(page, info, 'backup-codes');
  await page.getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByText('10 of 10 backup codes left.')).toBeVisible();

  await dropSession(page);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
  await page.getByRole('group', { name: 'Six-digit code' }).getByLabel('Digit 1').pressSequentially('000000');
  await expect(page.getByText('This code is wrong')).toBeVisible();
  await picture(page, info, 'wrong-code');
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await page.getByLabel('Backup code').fill(backup);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
});

test('a required second factor is set up before anything else', async ({ page }, info) => {
  const { email, headers } = await join(page);
  const { request } = page.context();
  const made = await request.post('/api/workspaces', { headers, data: { name: 'Strict' } });
  const { id } = (await made.json()) as { id: string };
  await request.put(`/api/workspaces/${id}`, { headers, data: { settings: { mfaPolicy: 'required' } } });
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Second factor required' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toHaveCount(0);
  await picture(page, info, 'required');
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByLabel('First code').fill(await generate({ secret }));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
});

test('a user is sent to the company’s sign-in provider, or sees that there is none', async ({ page }, info) => {
  await page.goto('/login?sso=domain');
  await expect(page.getByText('outside the domains')).toBeVisible();
  await page.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.getByLabel('Work email').fill('user@nowhere.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Single sign-on is not set up')).toBeVisible();
  await picture(page, info, 'sso');
});
