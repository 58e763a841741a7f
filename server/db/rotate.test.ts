import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { newId } from './ids';
import { prisma } from './client';
import { rotateColumn, SEALED_COLUMNS } from './rotate';
import { isUnderNewest, open } from './seal';
import { openCredentials } from '@/server/connectors/vault';
import { readyz } from '@/server/http/health';
import { runtime } from '@/server/runtime';
import { buildUser, call } from '@/server/testing/factories';
import { testEnv, useDatabase } from '@/server/testing/database';

useDatabase();
beforeEach(() => Object.assign(runtime().env, testEnv({ databaseUrl: runtime().env.databaseUrl })));

const newKey = () => randomBytes(32).toString('base64url');
const rotateAll = () => Promise.all(SEALED_COLUMNS.map(rotateColumn));

/** One sealed value in every table that has any. */
async function sealThings() {
  const user = await buildUser();
  const { token } = user;
  const post = <Body>(path: string, body: object, headers = {}) => call<Body>('POST', path, { token, body, headers });
  const config = { apiKey: 'a secret to keep' };
  const made = await post<{ id: string }>(
    '/api/credentials',
    { name: 'x', type: 'api_key', config },
    { 'Idempotency-Key': newId('req') },
  );
  const workflow = await post<{ id: string }>('/api/workflows', { name: 'x' });
  const webhook = await post<{ id: string }>(`/api/workflows/${workflow.body.id}/webhooks`, { path: 'in' });
  await post(`/api/workflows/${workflow.body.id}/webhooks/${webhook.body.id}/rotate-secret`, {});
  await call('PUT', '/api/connectors/hubspot/registration', {
    token,
    body: { clientId: 'a', clientSecret: 'b', tokenParameters: { audience: 'c' } },
  });
  await post('/api/alerts', { event: 'run_failed', to: { webhook: 'https://alerts.example.com' } });
  await post('/auth/mfa', {});
  return { user, credentialId: made.body.id };
}

it('seals every value again, so that the old keys can be removed', async () => {
  const { user, credentialId } = await sealThings();
  const { env } = runtime();
  const [newest, newestMfa] = [newKey(), newKey()];
  Object.assign(env, {
    encryptionKeys: [newest, ...env.encryptionKeys],
    mfaSecretKeys: [newestMfa, ...env.mfaSecretKeys],
  });
  for (const { table, column, rewritten, unreadable } of await rotateAll()) {
    expect(unreadable).toEqual([]);
    if (table !== 'sso_provider') expect([table, column, rewritten > 0]).toEqual([table, column, true]);
  }
  Object.assign(env, { encryptionKeys: [newest], mfaSecretKeys: [newestMfa] });
  expect((await rotateAll()).map(({ rewritten }) => rewritten)).toEqual(SEALED_COLUMNS.map(() => 0));
  const opened = (await openCredentials(user.workspaceId, [credentialId])).get(credentialId);
  expect(opened?.config).toMatchObject({ apiKey: 'a secret to keep' });
  const { mfaSecret } = await prisma().user.findUniqueOrThrow({ where: { id: user.id } });
  expect(open(mfaSecret ?? '', `mfa:${user.id}`, [newestMfa])).toMatch(/^[A-Z2-7]+$/);
});

it('leaves values that no key opens unchanged, and reports them', async () => {
  const { credentialId } = await sealThings();
  runtime().env.encryptionKeys = [newKey()];
  const [credentials] = await rotateAll();
  expect(credentials?.unreadable).toContain(credentialId);
  const { sealed } = await prisma().credential.findUniqueOrThrow({ where: { id: credentialId } });
  expect(isUnderNewest(sealed, testEnv().encryptionKeys)).toBe(true);
});

it('no other column contains sealed text', async () => {
  await sealThings();
  // Sealed text is base64url that begins with the id of its key.
  const tables = await prisma().$queryRaw<{ table_name: string; column_name: string }[]>`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text'`;
  const found: string[] = [];
  for (const { table_name, column_name } of tables) {
    const rows = await prisma().$queryRawUnsafe<{ value: string }[]>(
      `SELECT "${column_name}" AS value FROM "${table_name}" WHERE length("${column_name}") > 40 LIMIT 50`,
    );
    const { encryptionKeys, mfaSecretKeys } = runtime().env;
    const isSealed = ({ value }: { value: string }) =>
      isUnderNewest(value, encryptionKeys) || isUnderNewest(value, mfaSecretKeys);
    if (rows.some(isSealed)) found.push(`${table_name}.${column_name}`);
  }
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(found.filter((one) => !known.includes(one))).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(6);
});

it('passes over rows without a sealed value, such as the one that /readyz writes', async () => {
  await readyz();
  expect((await rotateAll()).flatMap(({ unreadable }) => unreadable)).not.toContain('readyz');
});
