import { describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD, type Refused } from '@/server/testing/factories';
import { totp } from '@/server/testing/totp';

useDatabase();

/** More concurrent calls than connections to the database. */
const MANY = 40;

type Ended = Refused & { accessToken: string; refreshToken: string };

/** The statuses of so many concurrent calls, each from a different address, with their counts. */
async function burst(
  method: string,
  path: string,
  options: (index: number) => object,
): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, index) =>
      call<Ended>(method, path, { from: `198.51.100.${index}`, ...options(index) }),
    ),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function enrolled() {
  const user = await buildUser();
  const { body } = await call<{ secret: string; backupCodes: string[] }>('POST', '/auth/mfa', {
    token: user.token,
    body: {},
  });
  expect((await call('PUT', '/auth/mfa', { token: user.token, body: { code: totp(body.secret) } })).status).toBe(200);
  return { ...user, ...body };
}

const only = (counts: Record<number, number>, ...allowed: number[]) =>
  expect(
    Object.keys(counts)
      .map(Number)
      .filter((status) => !allowed.includes(status)),
    JSON.stringify(counts),
  ).toEqual([]);

describe('many concurrent calls', () => {
  test.each([
    ['PUT', '/auth/mfa', 200],
    ['POST', '/auth/mfa/backup_codes', 201],
    ['DELETE', '/auth/mfa', 204],
  ])(
    '%s %s accepts one code once and refuses the others',
    async (method, path, success) => {
      for (const isKeyed of [false, true]) {
        const user = await enrolled();
        const body = { code: user.backupCodes[0] };
        const counts = await burst(method, path, (index) => ({
          token: user.token,
          body,
          headers: isKeyed && method !== 'DELETE' ? { 'idempotency-key': `key-${index}` } : {},
        }));
        only(counts, success, 401, 409, 429);
        expect(counts[success]).toBe(1);
      }
    },
    60_000,
  );

  test('wrong codes are refused, and none causes an internal error', async () => {
    const user = await enrolled();
    only(await burst('PUT', '/auth/mfa', () => ({ token: user.token, body: { code: '000000' } })), 401, 429);
  }, 60_000);

  test('sign-ins with one code', async () => {
    const user = await enrolled();
    const body = { email: user.email, password: PASSWORD, mfaCode: user.backupCodes[0] };
    const counts = await burst('POST', '/api/auth/login', () => ({ body }));
    only(counts, 200, 401, 429);
    expect(counts[200]).toBe(1);
  }, 60_000);

  test('refreshes of one token', async () => {
    const user = await buildUser();
    const { body } = await call<Ended>('POST', '/api/auth/login', { body: { email: user.email, password: PASSWORD } });
    only(await burst('POST', '/api/auth/refresh', () => ({ body: { refreshToken: body.refreshToken } })), 200, 401);
  }, 60_000);

  test('changes of one password', async () => {
    const user = await buildUser();
    const counts = await burst('POST', '/api/auth/password', (index) => ({
      token: user.token,
      body: { currentPassword: PASSWORD, newPassword: `another horse battery ${index}` },
    }));
    only(counts, 204, 400, 401, 409, 429);
    expect(counts[204]).toBe(1);
  }, 60_000);

  test('changes of a password with an idempotency key each', async () => {
    const user = await buildUser();
    const counts = await burst('POST', '/api/auth/password', (index) => ({
      token: user.token,
      headers: { 'idempotency-key': `key-${index}` },
      body: { currentPassword: PASSWORD, newPassword: `another horse battery ${index}` },
    }));
    only(counts, 204, 400, 401, 409, 429);
    expect(counts[204]).toBe(1);
  }, 60_000);

  test('set-ups, and codes beside sign-ins', async () => {
    const user = await buildUser();
    only(await burst('POST', '/auth/mfa', () => ({ token: user.token, body: {} })), 201, 409);
    const other = await enrolled();
    const [codes, logins] = await Promise.all([
      burst('PUT', '/auth/mfa', () => ({ token: other.token, body: { code: other.backupCodes[1] } })),
      burst('POST', '/api/auth/login', () => ({
        body: { email: other.email, password: PASSWORD, mfaCode: other.backupCodes[1] },
      })),
    ]);
    only(codes, 200, 401, 429);
    only(logins, 200, 401, 429);
    expect((codes[200] ?? 0) + (logins[200] ?? 0)).toBe(1);
    expect(await prismaClient().user.count({ where: { id: other.id } })).toBe(1);
  }, 60_000);

  test('acceptances of one invitation', async () => {
    const owner = await buildUser();
    const { body: invited } = await call<{ inviteUrl?: string; invitation?: unknown }>(
      'POST',
      `/api/workspaces/${owner.workspaceId}/members`,
      { token: owner.token, body: { email: 'new@example.com', role: 'viewer' } },
    );
    const token = /token=([\w-]+)/.exec(JSON.stringify(invited))?.[1] ?? '';
    expect(token).not.toBe('');
    const body = { token, name: 'New', password: PASSWORD };
    const counts = await burst('POST', '/api/auth/accept-invite', () => ({ body }));
    only(counts, 200, 201, 400, 401, 404, 409, 429);
    expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBe(1);
  }, 60_000);
});

describe('many sign-ups with one address', () => {
  test('create one account', async () => {
    const before = getRuntime();
    setRuntime({ ...before, env: { ...before.env, multiTenant: true } });
    const body = { email: 'many@example.com', name: 'Many', password: PASSWORD, workspaceName: 'Many' };
    const counts = await burst('POST', '/api/auth/signup', () => ({ body }));
    setRuntime(before);
    only(counts, 201, 400, 409, 429);
    expect(counts[201]).toBe(1);
  }, 60_000);
});
