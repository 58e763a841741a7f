import { beforeAll, describe, expect, test } from 'vitest';
import { toIdentityProvider } from '@/server/people/sso/provider';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, type Refused, type TestUser } from '@/server/testing/factories';
import { createProvider } from '@/server/testing/servers/sso';

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

describe('the client secret of', () => {
  const addresses = {
    authorizationUrl: 'https://id.example/authorize',
    tokenUrl: 'https://id.example/token',
    userInfoUrl: 'https://id.example/user',
  };
  const kinds: [string, object, Record<string, unknown[]>][] = [
    ['oidc', { issuer: 'https://id.example' }, { issuer: ['https://evil.example'], preset: ['okta', 'google'] }],
    ['oidc', { preset: 'gitlab' }, { issuer: ['https://evil.example'], preset: ['google'] }],
    ['oidc', { preset: 'gitlab', issuer: 'https://id.example' }, { issuer: ['https://evil.example', null] }],
    [
      'oauth2',
      addresses,
      Object.fromEntries(Object.keys(addresses).map((field) => [field, [`https://evil.example/${field}`]])),
    ],
    ['oauth2', { preset: 'github' }, { preset: ['gitlab'], issuer: ['https://evil.example'] }],
  ];
  const changes = kinds.flatMap(([type, fields, moves]) =>
    Object.entries(moves).flatMap(([field, values]) => values.map((value) => [type, fields, field, value] as const)),
  );

  test.each(changes)('%s %j does not follow a change of %s to %s', async (type, fields, field, value) => {
    const secret = { clientSecret: 'a secret of the company' };
    const made = await createProvider(owner, { type, name: 'x', clientId: 'a', ...secret, ...fields });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const at = `/api/sso-providers/${made.body.id}`;
    const before = await prismaClient().ssoProvider.findUniqueOrThrow({ where: { id: made.body.id } });
    const refused = await call<Refused>('PUT', at, { token: owner.token, body: { [field]: value } });
    const message = `must be given again, because ${field} changed`;
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'clientSecret', message }] } } });
    expect(await prismaClient().ssoProvider.findUniqueOrThrow({ where: { id: made.body.id } })).toEqual(before);
    const whole = { [field]: value, clientSecret: 'another secret' };
    expect((await call('PUT', at, { token: owner.token, body: whole })).status).toBe(200);
    const row = await prismaClient().ssoProvider.findUniqueOrThrow({ where: { id: made.body.id } });
    expect(toIdentityProvider(row).secrets).toEqual({ clientSecret: 'another secret' });
    expect((await call('PUT', at, { token: owner.token, body: { name: 'Renamed' } })).status).toBe(200);
  });
});

test('providers of another workspace do not exist here', async () => {
  const [stranger, issuer] = [await buildUser(), 'https://id.example'];
  const made = await createProvider(owner, { type: 'oidc', name: 'x', issuer, clientId: 'a', clientSecret: 'b' });
  for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
    expect((await call(method, `/api/sso-providers/${made.body.id}`, { token: stranger.token, body })).status).toBe(
      404,
    );
  }
});
