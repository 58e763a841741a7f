import { afterEach, describe, expect, test } from 'vitest';
import type { LoginTokens, CurrentUser } from '@/contract/access/session';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, call, PASSWORD, tokenFor, unique, type Refused } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const NEW = 'an entirely new phrase';
let last = 0;
const somewhere = () => `198.51.100.${(last += 1)}`;
const login = (email: string, password: string, from = somewhere()) =>
  call<LoginTokens & Refused>('POST', '/api/auth/login', { body: { email, password }, from });
const me = (token: string) => call<CurrentUser & Refused>('GET', '/api/auth/me', { token });
const fieldsOf = ({ body }: { body: Refused }) => body.error.details.map(({ field }) => field);

describe('a change of password', () => {
  const change = (token: string, currentPassword: string, newPassword = NEW, from = somewhere()) =>
    call<Refused>('POST', '/api/auth/password', { token, body: { currentPassword, newPassword }, from });

  test('ends all other sessions, and the old password, at once', async () => {
    const user = await buildUser();
    const other = (await login(user.email, PASSWORD)).body;
    expect((await change(user.token, PASSWORD)).status).toBe(204);
    expect((await me(user.token)).status).toBe(200);
    expect((await me(other.accessToken)).status).toBe(401);
    const renewed = await call('POST', '/api/auth/refresh', { body: { refreshToken: other.refreshToken } });
    expect(renewed.status).toBe(401);
    expect((await login(user.email, PASSWORD)).status).toBe(401);
    expect((await login(user.email, NEW)).status).toBe(200);
  });

  test('needs the current one; wrong guesses block the account like failed logins', async () => {
    const user = await buildUser();
    const from = somewhere();
    for (let i = 0; i < 5; i += 1) {
      const answer = await change(user.token, 'not the password', NEW, from);
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['currentPassword']]);
    }
    const blocked = await change(user.token, PASSWORD, NEW, from);
    expect([blocked.status, Number(blocked.headers.get('retry-after')) > 800]).toEqual([429, true]);
    expect((await login(user.email, PASSWORD)).status).toBe(429);
  });

  test('is audited in the person’s workspaces, failures as well', async () => {
    const user = await buildUser();
    await change(user.token, 'not the password');
    await change(user.token, PASSWORD);
    const where = { workspaceId: user.workspaceId, action: 'auth.changePassword' };
    const entries = await prismaClient().auditEntry.findMany({ where, orderBy: { sequence: 'asc' } });
    expect(entries.map(({ category, result }) => [category, result])).toEqual([
      ['authentication', 'failure'],
      ['authentication', 'success'],
    ]);
  });

  test.each([
    ['currentPassword', { newPassword: NEW }],
    ['newPassword', { currentPassword: PASSWORD }],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'too short' }],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'x'.repeat(73) }],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'ü'.repeat(37) }],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'Password1234!' }],
    ['newPassword', { currentPassword: PASSWORD, newPassword: 'with a \u0000 inside' }],
    ['userId', { currentPassword: PASSWORD, newPassword: NEW, userId: 'usr_x' }],
  ])('reports %s in %j', async (field, body) => {
    const user = await buildUser();
    const answer = await call<Refused>('POST', '/api/auth/password', { token: user.token, body });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  test('is for people, not for their API keys', async () => {
    const user = await buildUser();
    const made = await call<{ key: string }>('POST', '/auth/api_keys', {
      token: user.token,
      body: { name: 'all', scopes: ['*'] },
    });
    expect((await change(made.body.key, PASSWORD)).status).toBe(403);
  });

  test('has one effect per Idempotency-Key', async () => {
    const user = await buildUser();
    const send = () =>
      call('POST', '/api/auth/password', {
        token: user.token,
        body: { currentPassword: PASSWORD, newPassword: NEW },
        headers: { 'idempotency-key': 'change-1' },
      });
    expect((await send()).status).toBe(204);
    const again = await send();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
  });

  test('of two concurrent changes one fails; a login with the old password does not survive it', async () => {
    const user = await buildUser();
    const { token } = await tokenFor(user.id, user.workspaceId);
    const [one, two, ...logins] = await Promise.all([
      change(user.token, PASSWORD),
      change(token, PASSWORD, 'another phrase altogether'),
      ...Array.from({ length: 6 }, () => login(user.email, PASSWORD)),
    ]);
    expect([one, two].filter(({ status }) => status === 204)).toHaveLength(1);
    expect([204, 400, 401, 409]).toEqual(expect.arrayContaining([one.status, two.status]));
    for (const { status, body } of logins) if (status === 200) expect((await me(body.accessToken)).status).toBe(401);
  });
});

describe('signing up', () => {
  const open = (multiTenant = true) => setRuntime({ ...getRuntime(), env: { ...getRuntime().env, multiTenant } });
  const signUp = (body: object, from = somewhere()) =>
    call<LoginTokens & Refused>('POST', '/api/auth/signup', { body, from });
  const person = () => ({ name: 'Ada Lovelace', email: `${unique('Ada')}@Example.com`, password: NEW });

  afterEach(() => open(false));

  test('creates a person with their own workspace, and signs them in', async () => {
    open();
    const ada = person();
    const { status, body } = await signUp(ada);
    expect(status).toBe(201);
    expect(body).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 86_400 });
    expect((await me(body.accessToken)).body).toMatchObject({
      user: { name: 'Ada Lovelace', email: ada.email.toLowerCase() },
      workspaces: [{ name: 'Ada Lovelace’s workspace', role: 'owner' }],
    });
    const workflows = await call('GET', '/api/workflows', { token: body.accessToken });
    expect(workflows.body).toMatchObject({ data: [{ name: 'Welcome' }] });
    expect((await login(ada.email, NEW)).status).toBe(200);
    expect(await prismaClient().auditEntry.count({ where: { action: 'auth.signUp' } })).toBe(1);
  });

  test('accepts a name for the workspace', async () => {
    open();
    const { body } = await signUp({ ...person(), workspaceName: 'Analytical Engines' });
    expect((await me(body.accessToken)).body.workspaces).toMatchObject([{ name: 'Analytical Engines' }]);
  });

  test('cuts a name of maximum length between characters', async () => {
    open();
    const { status, body } = await signUp({ ...person(), name: '🧵'.repeat(100) });
    expect(status).toBe(201);
    expect((await me(body.accessToken)).body.workspaces[0]?.name).toBe(`${'🧵'.repeat(90)}’s workspace`);
  });

  test('is closed in modes with invitations only', async () => {
    expect((await signUp(person())).status).toBe(403);
    expect((await signUp({})).status).toBe(400);
  });

  test('creates one account for an address, also with two concurrent requests', async () => {
    open();
    const ada = person();
    const answers = await Promise.all([signUp(ada), signUp({ ...ada, email: ada.email.toUpperCase() }), signUp(ada)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const owned = { members: { some: { user: { email: ada.email.toLowerCase() } } } };
    expect(await prismaClient().workspace.count({ where: owned })).toBe(1);
  });

  test('limits attempts to find out which addresses have an account', async () => {
    open();
    const from = somewhere();
    const taken = person();
    await signUp(taken);
    for (let i = 0; i < 20; i += 1) expect((await signUp(taken, from)).status).toBe(409);
    expect((await signUp(taken, from)).status).toBe(429);
    expect((await login(taken.email, NEW)).status).toBe(200);
  });

  test.each([
    ['email', { email: 'nobody' }],
    ['name', { name: '' }],
    ['name', { name: 'half \ud800' }],
    ['password', { password: 'short' }],
    ['password', { password: '123456789012' }],
    ['password', { password: 'lovelace-weft-2026', email: 'ada@example.com' }],
    ['role', { role: 'owner' }],
    ['workspaceName', { workspaceName: '' }],
  ])('reports %s in %j', async (field, changes) => {
    open();
    const answer = await signUp({ ...person(), ...changes });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });
});
