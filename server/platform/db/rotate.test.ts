import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { generateId } from './ids';
import { prismaClient } from './client';
import { rotateColumnKeys, SEALED_COLUMNS } from './rotate';
import { isSealedUnderNewest, openSealedText } from './seal';
import { openCredentials } from '@/server/connectors/vault';
import { handleReadyz } from '@/server/api/http/health';
import { getRuntime } from '@/server/platform/runtime';
import { buildUser, call } from '@/server/testing/factories';
import { testEnv, useDatabase } from '@/server/testing/database';

useDatabase();
beforeEach(() => Object.assign(getRuntime().env, testEnv({ databaseUrl: getRuntime().env.databaseUrl })));

const newKey = () => randomBytes(32).toString('base64url');
const rotateAll = () => Promise.all(SEALED_COLUMNS.map(rotateColumnKeys));

/** One sealed value in every table that has any. */
async function sealThings() {
  const user = await buildUser();
  const { token } = user;
  const post = <Body>(path: string, body: object, headers = {}) => call<Body>('POST', path, { token, body, headers });
  const config = { apiKey: 'a secret to keep' };
  const made = await post<{ id: string }>(
    '/api/credentials',
    { name: 'x', type: 'api_key', config },
    { 'Idempotency-Key': generateId('req') },
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
  const { env } = getRuntime();
  const [newest, newestMfa] = [newKey(), newKey()];
  Object.assign(env, {
    encryptionKeys: [newest, ...env.encryptionKeys],
    mfaSecretKeys: [newestMfa, ...env.mfaSecretKeys],
  });
  for (const { table, column, rewritten, unreadable } of await rotateAll()) {
    expect(unreadable).toEqual([]);
    // The secrets of credentials that were deleted are kept only while webhooks have to be removed with them.
    if (table !== 'sso_provider' && table !== 'webhook_subscription')
      expect([table, column, rewritten > 0]).toEqual([table, column, true]);
  }
  Object.assign(env, { encryptionKeys: [newest], mfaSecretKeys: [newestMfa] });
  expect((await rotateAll()).map(({ rewritten }) => rewritten)).toEqual(SEALED_COLUMNS.map(() => 0));
  const opened = (await openCredentials(user.workspaceId, [credentialId])).get(credentialId);
  expect(opened?.config).toMatchObject({ apiKey: 'a secret to keep' });
  const { mfaSecret } = await prismaClient().user.findUniqueOrThrow({ where: { id: user.id } });
  expect(openSealedText(mfaSecret ?? '', `mfa:${user.id}`, [newestMfa])).toMatch(/^[A-Z2-7]+$/);
});

it('leaves values that no key opens unchanged, and reports them', async () => {
  const { credentialId } = await sealThings();
  getRuntime().env.encryptionKeys = [newKey()];
  const [credentials] = await rotateAll();
  expect(credentials?.unreadable).toContain(credentialId);
  const { sealed } = await prismaClient().credential.findUniqueOrThrow({ where: { id: credentialId } });
  expect(isSealedUnderNewest(sealed, testEnv().encryptionKeys)).toBe(true);
});

it('no other column contains sealed text', async () => {
  await sealThings();
  // Sealed text is base64url that begins with the id of its key.
  const tables = await prismaClient().$queryRaw<{ table_name: string; column_name: string }[]>`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text'`;
  const found: string[] = [];
  for (const { table_name, column_name } of tables) {
    const rows = await prismaClient().$queryRawUnsafe<{ value: string }[]>(
      `SELECT "${column_name}" AS value FROM "${table_name}" WHERE length("${column_name}") > 40 LIMIT 50`,
    );
    const { encryptionKeys, mfaSecretKeys } = getRuntime().env;
    const isSealed = ({ value }: { value: string }) =>
      isSealedUnderNewest(value, encryptionKeys) || isSealedUnderNewest(value, mfaSecretKeys);
    if (rows.some(isSealed)) found.push(`${table_name}.${column_name}`);
  }
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(found.filter((one) => !known.includes(one))).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(6);
});

it('passes over rows without a sealed value, such as the one that /readyz writes', async () => {
  await handleReadyz();
  expect((await rotateAll()).flatMap(({ unreadable }) => unreadable)).not.toContain('readyz');
});
