import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { startOidcIdp, type OidcIdp } from '../../server/testing/servers/oidc-idp';
import { SamlIdp } from '../../server/testing/servers/saml-idp';
import { expectAccessible } from '../axe';
import { OWNER, picture, signIn } from '../person';
import { test } from '../test';

/* Tests against a real OpenID Connect provider, and a SAML provider that signs its assertions. */

let takeDown: (() => Promise<unknown>) | undefined;
test.afterEach(async () => {
  await takeDown?.();
  takeDown = undefined;
});

async function ownerHeaders(request: APIRequestContext): Promise<{ authorization: string }> {
  const login = await request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await login.json()) as { accessToken: string };
  return { authorization: `Bearer ${accessToken}` };
}

/** Configures a provider in the owner's workspace for all addresses of `domain`, until the test ends. */
async function setUp(request: APIRequestContext, domain: string, fields: object, workspace?: string): Promise<void> {
  const headers = { ...(await ownerHeaders(request)), ...(workspace ? { 'x-workspace-id': workspace } : {}) };
  const data = { name: `Company of ${domain}`, domains: [domain], ...fields };
  const answer = await request.post('/api/sso-providers', { headers, data });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  takeDown = () => request.delete(`/api/sso-providers/${id}`, { headers });
}

/** Signs in up to the redirect to the provider, whose host the page shows first. */
async function beginAs(page: Page, email: string, host: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.getByLabel('Work email').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: `Continue to ${host}` }).click();
}

async function isIn(page: Page, email: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  // By the browser, which sends a request again if the service has just closed an idle connection.
  const me: unknown = await page.evaluate(async () => (await fetch('/api/auth/me')).json());
  expect(me).toMatchObject({ user: { email }, workspaces: [{ role: 'viewer' }] });
}

test.describe('by OpenID Connect', () => {
  let idp: OidcIdp;
  test.beforeAll(async ({ baseURL }) => {
    idp = await startOidcIdp(`${baseURL}/auth/oauth2_callback`);
  });
  test.afterAll(() => idp.close());

  test('a user of a company signs in by email address', async ({ page, request }, info) => {
    const { issuer, clientId, clientSecret } = idp;
    await setUp(request, 'oidc.example', { type: 'oidc', issuer, clientId, clientSecret });
    const email = 'ada@oidc.example';
    idp.account({ email, email_verified: true, name: 'Ada' });
    await beginAs(page, email, new URL(issuer).host);
    await isIn(page, email);
    await picture(page, info, 'viewer');
  });

  test(
    'a user with an account must accept the membership of another workspace',
    { tag: '@long' },
    async ({ page, browser, baseURL, request }, info) => {
      const headers = await ownerHeaders(request);
      const person = { email: `mia-${Date.now()}@guild.example`, password: 'a phrase for guests' };
      const me = await request.get('/api/auth/me', { headers });
      const main = ((await me.json()) as { workspaces: { id: string }[] }).workspaces[0]?.id;
      const members = `/api/workspaces/${main}/members`;
      const invited = await request.post(members, { headers, data: { email: person.email, role: 'editor' } });
      const token = new URL(((await invited.json()) as { inviteUrl: string }).inviteUrl).searchParams.get('token');
      await request.post('/api/auth/accept-invite', { data: { token, name: 'Mia', password: person.password } });

      const made = await request.post('/api/workspaces', { headers, data: { name: 'Guild' } });
      const guild = ((await made.json()) as { id: string }).id;
      const { issuer, clientId, clientSecret } = idp;
      await setUp(request, 'guild.example', { type: 'oidc', issuer, clientId, clientSecret }, guild);
      idp.account({ email: person.email, email_verified: true, name: 'Mia' });
      const other = await (await browser.newContext({ baseURL })).newPage();
      await beginAs(other, person.email, new URL(issuer).host);
      await isIn(other, person.email);
      await other.context().close();

      await signIn(page, person);
      const question = page.getByRole('alert').filter({ hasText: 'Guild added you as a member' });
      await expect(question).toBeVisible();
      await expectAccessible(page, info, 'question');
      await question.getByRole('button', { name: 'Accept' }).click();
      await expect(question).toHaveCount(0);
      const after = (await (await page.request.get('/api/auth/me')).json()) as { workspaces: { id: string }[] };
      expect(after.workspaces.map(({ id }) => id)).toEqual([main, guild]);
    },
  );
});

test('a user of a company signs in by SAML, with a cross-site response', async ({ page, request }) => {
  const idp = await startSamlSite('grace@saml.example');
  try {
    const { entityId, ssoUrl, certificate } = idp;
    await setUp(request, 'saml.example', { type: 'saml', entityId, ssoUrl, certificate });
    await beginAs(page, 'grace@saml.example', new URL(ssoUrl).host);
    await isIn(page, 'grace@saml.example');
  } finally {
    await idp.close();
  }
});

/**
 * A server, because Playwright does not reliably intercept a request that a redirect leads to. Its page posts the
 * answer with a script, as providers do.
 */
async function startSamlSite(email: string) {
  const idp = await SamlIdp.start();
  const site = await listenOn(async (incoming, response) => {
    const asked = idp.read(new URL(incoming.url ?? '', idp.ssoUrl).href);
    const answer = Buffer.from(await idp.response(asked, email)).toString('base64');
    response.setHeader('Content-Type', 'text/html').end(`<form method="post" action="${asked.acsUrl}">
      <input name="SAMLResponse" value="${answer}"><input name="RelayState" value="${asked.relayState}">
      </form><script>document.forms[0].submit()</script>`);
  });
  return {
    entityId: idp.entityId,
    ssoUrl: `${site.url}/sso`,
    certificate: idp.keys.certificate,
    close: site.close,
  };
}
