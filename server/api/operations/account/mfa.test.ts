import { URI, type TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import {
  buildUser,
  buildWorkspace,
  call,
  join,
  PASSWORD,
  type Refused,
  type TestUser,
} from '@/server/testing/factories';
import { settledStep, totp } from '@/server/testing/totp';

useDatabase();

// The middle of a step, so that none ends between computing a code and using it.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 }));
afterAll(() => void vi.useRealTimers());

interface Setup {
  secret: string;
  otpauthUrl: string;
  qrCode: string;
  backupCodes: string[];
}
const setUp = (user: TestUser) => call<Setup>('POST', '/auth/mfa', { token: user.token, body: {} });
const put = (user: TestUser, code: string, from?: string) =>
  call<{ method: string; backupCodesRemaining: number } & Refused>('PUT', '/auth/mfa', {
    token: user.token,
    body: { code },
    from,
  });
const signIn = (user: TestUser, mfaCode?: string) =>
  call<{ accessToken: string } & Refused>('POST', '/api/auth/login', {
    body: { email: user.email, password: PASSWORD, mfaCode },
  });

async function enrolled(role?: 'viewer', workspaceId?: string) {
  const user = await buildUser({ role, workspaceId });
  const { body } = await setUp(user);
  await settledStep();
  expect((await put(user, totp(body.secret, -1))).status).toBe(200);
  return { ...user, ...body };
}

test('set-up returns secret, address, picture and ten codes; no code is required before the first confirmation', async () => {
  const user = await buildUser();
  const { status, body } = await setUp(user);
  expect(status).toBe(201);
  expect(body.qrCode).toMatch(/^data:image\/png;base64,/);
  expect(new URL(body.otpauthUrl).searchParams.get('secret')).toBe(body.secret);
  expect(new Set(body.backupCodes).size).toBe(10);
  expect((await signIn(user)).status).toBe(200);
  expect((await put(user, body.backupCodes[0] ?? '')).status).toBe(401);
  expect((await put(user, totp(body.secret))).body).toEqual({
    verified: true,
    method: 'totp',
    backupCodesRemaining: 10,
  });
  expect((await setUp(user)).status).toBe(409);
});

test('an authenticator app generates codes that are accepted', async () => {
  const user = await enrolled();
  const app = URI.parse(user.otpauthUrl) as TOTP;
  expect((await signIn(user, app.generate({ timestamp: Date.now() }))).status).toBe(200);
});

test('secret and codes are not readable in the database', async () => {
  const user = await enrolled();
  const stored = await prismaClient().user.findUniqueOrThrow({
    where: { id: user.id },
    include: { backupCodes: true },
  });
  for (const secret of [user.secret, ...user.backupCodes]) expect(JSON.stringify(stored)).not.toContain(secret);
});

test('login requires the code, names the field, and accepts it once', async () => {
  const user = await enrolled();
  const asked = await signIn(user);
  expect(asked.status).toBe(401);
  expect(asked.body.error.details[0]?.field).toBe('mfaCode');
  const code = totp(user.secret);
  const both = await Promise.all([signIn(user, code), signIn(user, code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await put(user, code)).status).toBe(401);
});

test('a code of the step before or after is accepted, two steps away is not', async () => {
  const user = await enrolled();
  expect((await put(user, totp(user.secret, 1))).status).toBe(200);
  expect((await put(user, totp(user.secret, 0))).status).toBe(200);
  expect((await put(user, totp(user.secret, 3))).status).toBe(401);
  expect((await put(user, totp(user.secret, -3))).status).toBe(401);
});

test('a backup code works once, in any spelling', async () => {
  const user = await enrolled();
  const [first = '', second = ''] = user.backupCodes;
  expect((await signIn(user, first)).status).toBe(200);
  expect((await signIn(user, first)).status).toBe(401);
  const answer = await put(user, second.toUpperCase().replaceAll('-', ' '));
  expect(answer.body).toMatchObject({ method: 'backup_code', backupCodesRemaining: 8 });
});

test('new backup codes replace the old ones', async () => {
  const user = await enrolled();
  const renewed = await call<{ backupCodes: string[] }>('POST', '/auth/mfa/backup_codes', {
    token: user.token,
    body: { code: totp(user.secret) },
  });
  expect(renewed.status).toBe(201);
  expect((await signIn(user, user.backupCodes[0])).status).toBe(401);
  expect((await signIn(user, renewed.body.backupCodes[0])).status).toBe(200);
});

test('turning it on ends sessions that never showed a code', async () => {
  const user = await buildUser();
  const other = (await signIn(user)).body.accessToken;
  const { body } = await setUp(user);
  await put(user, totp(body.secret));
  expect((await call('GET', '/api/auth/me', { token: other })).status).toBe(401);
  expect((await call('GET', '/api/auth/me', { token: user.token })).status).toBe(200);
});

test('turning it off requires a code', async () => {
  const user = await enrolled();
  const off = (code: string) => call('DELETE', '/auth/mfa', { token: user.token, body: { code } });
  expect((await off('000000')).status).toBe(401);
  expect((await off(totp(user.secret))).status).toBe(204);
  expect((await signIn(user)).status).toBe(200);
  expect((await off(totp(user.secret, 1))).status).toBe(409);
});

test('guessing codes is blocked after five failures, also for the right one, and blocks the login as well', async () => {
  const user = await enrolled();
  for (let i = 0; i < 5; i++) expect((await put(user, '000000')).status).toBe(401);
  const blocked = await put(user, totp(user.secret));
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(800);
  expect((await signIn(user, totp(user.secret))).status).toBe(429);
});

test('if it is required, a session without one can only set it up', async () => {
  const workspaceId = await buildWorkspace();
  const user = await buildUser({ workspaceId });
  const elsewhere = await buildWorkspace();
  await join(user.id, elsewhere, 'owner');
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { settings: { mfaPolicy: 'required' } } });
  const status = async (method: string, path: string, workspace?: string) =>
    (await call(method, path, { token: user.token, workspace })).status;
  expect(await status('GET', '/api/workflows')).toBe(403);
  expect(await status('GET', '/api/workflows', elsewhere)).toBe(403);
  expect(await status('GET', '/api/auth/me')).toBe(200);
  const { body } = await setUp(user);
  await put(user, totp(body.secret));
  expect(await status('GET', '/api/workflows')).toBe(200);
});

test('an administrator resets a member’s factor, but not of stronger members or people of other workspaces', async () => {
  const owner = await buildUser();
  const admin = await buildUser({ workspaceId: owner.workspaceId, role: 'admin' });
  const member = await enrolled('viewer', owner.workspaceId);
  const reset = (by: TestUser, userId: string) =>
    call('DELETE', `/api/workspaces/${owner.workspaceId}/members/${userId}/mfa`, { token: by.token });
  expect((await reset(member, admin.id)).status).toBe(403);
  expect((await reset(admin, owner.id)).status).toBe(403);
  expect((await reset(admin, 'usr_none')).status).toBe(404);
  expect((await reset(admin, member.id)).status).toBe(204);
  expect((await call('GET', '/api/auth/me', { token: member.token })).status).toBe(401);
  expect((await signIn(member)).status).toBe(200);
  const guest = await enrolled('viewer', owner.workspaceId);
  await join(guest.id, await buildWorkspace(), 'owner');
  expect((await reset(owner, guest.id)).status).toBe(403);
});

test.each([[{}], [{ code: 5 }], [{ code: 'a\u0000' }], [{ code: '1', x: 1 }], [[]]])(
  '%o is a bad request',
  async (body) => {
    const user = await buildUser();
    expect((await call('PUT', '/auth/mfa', { token: user.token, body })).status).toBe(400);
  },
);

test('a second factor is offered by the policy of any workspace of the person', async () => {
  const user = await buildUser();
  const offered = async () => (await call<{ offered: boolean }>('GET', '/auth/mfa', user)).body.offered;
  expect(await offered()).toBe(false);
  const other = await buildUser();
  const policy = (mfaPolicy: string) =>
    call('PUT', `/api/workspaces/${other.workspaceId}`, { token: other.token, body: { settings: { mfaPolicy } } });
  expect((await policy('optional')).status).toBe(200);
  expect(await offered()).toBe(false);
  await join(user.id, other.workspaceId, 'viewer');
  expect(await offered()).toBe(true);
  await policy('off');
  expect(await offered()).toBe(false);
});
