import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { buildDeviceCookie } from './device';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, PASSWORD, unique, type TestUser } from '@/server/testing/factories';

useDatabase();

let last = 0;
const somewhere = () => `198.51.100.${(last += 1)}`;
const login = (email: string, password: string, from: string) =>
  call('POST', '/api/auth/login', { body: { email, password }, from });
async function fail(email: string, from: string, times: number) {
  for (let i = 0; i < times; i++) expect((await login(email, 'wrong password', from)).status).toBe(401);
}

test('five failures block an account from any address for 15 minutes, then twice as long', async () => {
  const user = await buildUser();
  for (let i = 0; i < 5; i++) await fail(user.email, somewhere(), 1);
  const blocked = await login(user.email.toUpperCase(), PASSWORD, somewhere());
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  await prismaClient().loginThrottle.updateMany({
    where: { key: { startsWith: 'account:' } },
    data: { blockedUntil: new Date() },
  });
  for (let i = 0; i < 5; i++) await fail(user.email, somewhere(), 1);
  const again = await login(user.email, PASSWORD, somewhere());
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(29 * 60);
});

test('a block does not reveal which accounts exist', async () => {
  const email = `${unique('nobody')}@example.com`;
  for (let i = 0; i < 5; i++) await fail(email, somewhere(), 1);
  expect((await login(email, PASSWORD, somewhere())).status).toBe(429);
});

test('other clients can’t lock an owner out of a browser in which the owner has signed in before', async () => {
  const user = await buildUser();
  const home = somewhere();
  expect((await login(user.email, PASSWORD, home)).status).toBe(200);
  for (let i = 0; i < 5; i++) await fail(user.email, somewhere(), 1);
  expect((await login(user.email, PASSWORD, somewhere())).status).toBe(429);
  expect((await login(user.email, PASSWORD, home)).status).toBe(200);
  expect((await login(user.email, PASSWORD, somewhere())).status).toBe(429);
  await fail(user.email, home, 5);
  expect((await login(user.email, PASSWORD, home)).status).toBe(429);
});

test('a browser is identified by its own cookie, not by its address: neighbours can’t lock its owner out', async () => {
  const user = await buildUser();
  const office = somewhere();
  const [cookie = ''] = buildDeviceCookie(user.email, new Headers()).split(';');
  const withCookie = (password: string, text = cookie, from = office) =>
    call('POST', '/api/auth/login', { body: { email: user.email, password }, from, headers: { cookie: text } });
  expect((await withCookie(PASSWORD)).status).toBe(200);
  await fail(user.email, office, 5);
  expect((await login(user.email, PASSWORD, office)).status).toBe(429);
  expect((await withCookie(PASSWORD)).status).toBe(200);
  expect((await withCookie(PASSWORD, cookie, somewhere())).status).toBe(200);
  const [another = ''] = buildDeviceCookie(`other-${user.email}`, new Headers()).split(';');
  const name = cookie.split('=', 1)[0] ?? '';
  for (const forged of [`${cookie}x`, another, `${name}=${another.split('=', 2)[1]}`, `${name}=`, `${name}=a.b`]) {
    expect((await withCookie(PASSWORD, forged)).status, forged).toBe(429);
  }
  for (let i = 0; i < 5; i++) expect((await withCookie('wrong password')).status).toBe(401);
  expect((await withCookie(PASSWORD)).status).toBe(429);
});

test('the device cookie is sent to this host only, keeps its value and contains no name', async () => {
  const email = `${unique('person')}@example.com`;
  const first = buildDeviceCookie(email, new Headers());
  expect(first).toMatch(
    /^weft\.device\.[0-9a-f]{12}=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
  );
  expect(first).not.toContain(email);
  expect(buildDeviceCookie(email, new Headers({ cookie: first.split(';')[0] ?? '' }))).toBe(first);
});

test('twenty failures block an address for all accounts', async () => {
  const from = somewhere();
  for (let i = 0; i < 20; i++) await fail(`${unique('nobody')}@example.com`, from, 1);
  const user = await buildUser();
  expect((await login(user.email, PASSWORD, from)).status).toBe(429);
  expect((await login(user.email, PASSWORD, somewhere())).status).toBe(200);
});

test('a success resets the failures before it', async () => {
  const user = await buildUser();
  const from = somewhere();
  await fail(user.email, from, 4);
  expect((await login(user.email, PASSWORD, from)).status).toBe(200);
  await fail(user.email, somewhere(), 4);
  expect((await login(user.email, PASSWORD, somewhere())).status).toBe(200);
});

test('of many parallel guesses only a few are checked', async () => {
  const user = await buildUser();
  await Promise.all(Array.from({ length: 30 }, () => login(user.email, 'wrong password', somewhere())));
  expect((await login(user.email, PASSWORD, somewhere())).status).toBe(429);
});

test('an administrator lifts the block', async () => {
  const owner: TestUser = await buildUser();
  const member = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  await fail(member.email, somewhere(), 5);
  const path = `/api/workspaces/${owner.workspaceId}/members/${member.id}/lock`;
  expect((await call('DELETE', path, { token: owner.token })).status).toBe(204);
  expect((await login(member.email, PASSWORD, somewhere())).status).toBe(200);
});

test('twenty failures from one IPv6 network block all of it, and no other', async () => {
  const inNetwork = (network: string, host: number) => `2001:db8:${network}::${host.toString(16)}`;
  for (let i = 1; i <= 20; i++) await fail(`${unique('nobody')}@example.com`, inNetwork('7:7', i), 1);
  const user = await buildUser();
  expect((await login(user.email, PASSWORD, inNetwork('7:7', 99))).status).toBe(429);
  expect((await login(user.email, PASSWORD, '2001:0DB8:0007:0007:aaaa:bbbb:cccc:dddd')).status).toBe(429);
  expect((await login(user.email, PASSWORD, inNetwork('7:8', 1))).status).toBe(200);
});

test('an IPv4 address written as IPv6 is the same address', async () => {
  const from = somewhere();
  for (let i = 0; i < 20; i++) await fail(`${unique('nobody')}@example.com`, i % 2 ? from : `::ffff:${from}`, 1);
  const user = await buildUser();
  expect((await login(user.email, PASSWORD, from)).status).toBe(429);
  expect((await login(user.email, PASSWORD, `::ffff:${from}`)).status).toBe(429);
});

test('a person who has signed in from several addresses of a network has five guesses there, not five for each', async () => {
  const user = await buildUser();
  const home = (host: number) => `2001:db8:1:1::${host}`;
  for (const host of [1, 2, 3]) expect((await login(user.email, PASSWORD, home(host))).status).toBe(200);
  for (let i = 0; i < 5; i++) await fail(user.email, somewhere(), 1);
  expect((await login(user.email, PASSWORD, home(4))).status).toBe(200);
  for (const host of [1, 2, 3, 1, 2]) await fail(user.email, home(host), 1);
  for (const host of [1, 2, 3, 4]) expect((await login(user.email, PASSWORD, home(host))).status).toBe(429);
});
