import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD, type TestUser } from '@/server/testing/factories';
import { recoverAccount } from './recovery';

useDatabase();

const login = ({ email }: TestUser, password: string) => call('POST', '/api/auth/login', { body: { email, password } });

test('a new password ends the old one and all sessions, and is audited', async () => {
  const owner = await buildUser();
  expect(
    await recoverAccount(owner.email.toUpperCase(), { password: 'a new one, and long', isFactorRemoved: false }),
  ).toEqual({
    name: 'Somebody',
  });
  expect((await call('GET', '/api/auth/me', { token: owner.token })).status).toBe(401);
  expect((await login(owner, PASSWORD)).status).toBe(401);
  expect((await login(owner, 'a new one, and long')).status).toBe(200);
  const entry = await prismaClient().auditEntry.findFirst({ where: { action: 'auth.recover' } });
  expect(entry).toMatchObject({
    workspaceId: owner.workspaceId,
    actor: { type: 'system' },
    resource: { type: 'user', id: owner.id },
    metadata: { reason: 'new password' },
  });
});

test('recovery removes a lost second factor and lifts a block', async () => {
  const owner = await buildUser();
  await prismaClient().user.update({ where: { id: owner.id }, data: { mfaEnabledAt: new Date() } });
  for (let i = 0; i < 6; i++) await login(owner, 'wrong');
  expect((await login(owner, PASSWORD)).status).toBe(429);
  await recoverAccount(owner.email, { password: null, isFactorRemoved: true });
  expect((await login(owner, PASSWORD)).status).toBe(200);
});

test('an unknown address creates no account', async () => {
  expect(await recoverAccount('nobody@example.com', { password: null, isFactorRemoved: true })).toBeNull();
});
