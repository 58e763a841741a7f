import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../testing/database';
import { buildUser, call, type TestUser } from '../testing/factories';
import { createProvider } from '../testing/sso';

useDatabase();

let owner: TestUser;

beforeAll(async () => {
  owner = await buildUser();
});

test.each<[object, string]>([
  [{ type: 'ldap' }, 'type'],
  [{ type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b' }, 'issuer'],
  [{ type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b', issuer: 'ftp://x.example' }, 'issuer'],
  [{ type: 'oauth2', name: 'x', clientId: 'a', clientSecret: 'b' }, 'tokenUrl'],
  [{ type: 'oauth2', name: 'x', clientId: 'a', preset: 'github' }, 'clientSecret'],
  [{ type: 'saml', name: 'x', entityId: 'a', ssoUrl: 'https://x.example', certificate: 'nonsense' }, 'certificate'],
  [
    { type: 'saml', name: 'x', entityId: 'a', ssoUrl: 'https://x.example', certificate: 'x', domains: ['@'] },
    'domains[0]',
  ],
  [
    { type: 'oidc', name: 'x', clientId: 'a', clientSecret: 'b', preset: 'google', defaultRole: 'nobody' },
    'defaultRole',
  ],
])('%o is refused for %s', async (body, field) => {
  const answer = await createProvider(owner, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.map((one) => one.field)).toContain(field);
});

test('providers of another workspace don’t exist here', async () => {
  const [stranger, issuer] = [await buildUser(), 'https://id.example'];
  const made = await createProvider(owner, { type: 'oidc', name: 'x', issuer, clientId: 'a', clientSecret: 'b' });
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
    expect((await call(method, `/api/sso-providers/${made.body.id}`, { token: stranger.token, body })).status).toBe(
      404,
    );
  }
});
