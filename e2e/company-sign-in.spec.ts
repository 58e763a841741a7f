import { expect, test, type APIRequestContext, type Page } from '@playwright/test';
import { startOidcIdp, type OidcIdp } from '../server/testing/oidc-idp';
import { SamlIdp } from '../server/testing/saml-idp';
import { OWNER, picture } from './person';

/* The other side is a full OpenID Connect provider, and a SAML provider that really signs. */

let takeDown: () => Promise<unknown>;
test.afterEach(() => takeDown());

/** Sets a provider up in the owner's workspace for everybody with an address of `domain`, until the journey is over. */
async function setUp(request: APIRequestContext, domain: string, fields: object): Promise<void> {
  const login = await request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const data = { name: `Company of ${domain}`, domains: [domain], ...fields };
  const answer = await request.post('/api/sso-providers', { headers, data });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  takeDown = () => request.delete(`/api/sso-providers/${id}`, { headers });
}

async function beginAs(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.getByLabel('Work email').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function isIn(page: Page, email: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  const me = await page.request.get('/api/auth/me');
  expect(await me.json()).toMatchObject({ user: { email }, workspaces: [{ role: 'viewer' }] });
}

test.describe('by OpenID Connect', () => {
  let idp: OidcIdp;
  test.beforeAll(async ({ baseURL }) => {
    idp = await startOidcIdp(`${baseURL}/auth/oauth2_callback`);
  });
  test.afterAll(() => idp.close());

  test('somebody of a company gets in by the address of their mail', async ({ page, request }, info) => {
    const { issuer, clientId, clientSecret } = idp;
    await setUp(request, 'oidc.example', { type: 'oidc', issuer, clientId, clientSecret });
    const email = 'ada@oidc.example';
    idp.account({ email, email_verified: true, name: 'Ada' });
    await beginAs(page, email);
    await isIn(page, email);
    await picture(page, info, 'viewer');
  });
});

test('somebody of a company gets in by SAML, whose answer comes from another site', async ({ page, request }) => {
  const idp = await SamlIdp.start();
  const { entityId, ssoUrl, keys } = idp;
  await setUp(request, 'saml.example', { type: 'saml', entityId, ssoUrl, certificate: keys.certificate });
  const email = 'grace@saml.example';
  await page.route(`${ssoUrl}?**`, async (route) => {
    const asked = idp.read(route.request().url());
    const answer = Buffer.from(await idp.response(asked, email)).toString('base64');
    const form = `<form method="post" action="${asked.acsUrl}"><input name="SAMLResponse" value="${answer}">
      <input name="RelayState" value="${asked.relayState}"></form><script>document.forms[0].submit()</script>`;
    await route.fulfill({ contentType: 'text/html', body: form });
  });
  await beginAs(page, email);
  await isIn(page, email);
});
