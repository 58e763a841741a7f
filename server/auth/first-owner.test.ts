import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prisma } from '../db/client';
import type { Env } from '../env';
import { runtime, setRuntime } from '../runtime';
import { useDatabase } from '../testing/database';
import { createFirstOwner, ensureFirstOwner, isOwnerNeeded, opensSetup } from './first-owner';
import { isPassword } from './password';
import { systemRoleId } from './permissions';

useDatabase();

const changeEnv = (changes: Partial<Env>) => setRuntime({ ...runtime(), env: { ...runtime().env, ...changes } });
const admin = { adminEmail: 'ada@example.com', adminPassword: 'a long password' };
let original: Env;

beforeEach(() => {
  original = runtime().env;
});
afterEach(async () => {
  changeEnv(original);
  await prisma().workspace.deleteMany();
  await prisma().user.deleteMany();
});

describe('with ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  test('the first start makes an owner who can sign in and has a workspace', async () => {
    changeEnv(admin);
    expect(await ensureFirstOwner()).toEqual({ kind: 'created', email: 'ada@example.com' });
    const user = await prisma().user.findUniqueOrThrow({
      where: { email: 'ada@example.com' },
      include: { roles: true, memberships: true },
    });
    expect(await isPassword('a long password', user.passwordHash)).toBe(true);
    expect(user.roles).toMatchObject([{ roleId: systemRoleId('owner'), resourceType: null }]);
    expect(user.memberships).toHaveLength(1);
    expect(await prisma().auditEntry.count({ where: { workspaceId: user.memberships[0]?.workspaceId } })).toBe(1);
  });

  test('another start changes nothing, whatever the variables say now', async () => {
    changeEnv(admin);
    await ensureFirstOwner();
    changeEnv({ adminEmail: 'bob@example.com', adminPassword: 'another password' });
    expect(await ensureFirstOwner()).toEqual({ kind: 'present' });
    expect(await prisma().user.count()).toBe(1);
  });

  test('of several processes that start at once, one makes the owner', async () => {
    changeEnv(admin);
    const kinds = (await Promise.all([1, 2, 3, 4, 5].map(() => ensureFirstOwner()))).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['created', 'present', 'present', 'present', 'present']);
    expect(await prisma().workspace.count()).toBe(1);
  });
});

describe('without them', () => {
  const link = async () => {
    const found = await ensureFirstOwner();
    return found.kind === 'setup' ? new URL(found.url) : null;
  };

  test('a link is printed, the same at every start, until there is an owner', async () => {
    const url = await link();
    expect(`${url?.origin}${url?.pathname}`).toBe('http://localhost:8080/setup');
    expect((await link())?.href).toBe(url?.href);
    await prisma().$transaction((db) => createFirstOwner(db, { email: 'a@example.com', name: 'A', passwordHash: 'x' }));
    expect(await ensureFirstOwner()).toEqual({ kind: 'present' });
    expect(await isOwnerNeeded(prisma())).toBe(false);
  });

  test('only its token opens the page', async () => {
    const token = (await link())?.searchParams.get('token') ?? '';
    expect(opensSetup(token)).toBe(true);
    for (const wrong of [undefined, '', `${token}x`, token.toUpperCase(), 'ü']) expect(opensSetup(wrong)).toBe(false);
    changeEnv({ jwtSecret: 'another secret of another installation' });
    expect(opensSetup(token)).toBe(false);
  });

  test('in saas the page needs none', () => {
    changeEnv({ deploymentEnv: 'saas' });
    expect(opensSetup(undefined)).toBe(true);
  });
});

test('there is one first owner, however many try', async () => {
  const tries = ['a', 'b', 'c', 'd'].map((name) =>
    prisma().$transaction((db) => createFirstOwner(db, { email: `${name}@example.com`, name, passwordHash: 'x' })),
  );
  const made = (await Promise.all(tries)).filter((owner) => owner !== null);
  expect(made).toHaveLength(1);
  expect(await prisma().user.count()).toBe(1);
});
