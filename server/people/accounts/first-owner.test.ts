import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import type { ServiceEnv } from '@/server/platform/env/env';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { createFirstOwner, ensureFirstOwner, isOwnerNeeded, isSetupToken } from './first-owner';
import { verifyPassword } from '@/server/people/auth/password';
import { systemRoleId } from '@/server/platform/db/system-role-id';

useDatabase();

const changeEnv = (changes: Partial<ServiceEnv>) =>
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, ...changes } });
const admin = { adminEmail: 'ada@example.com', adminPassword: 'a long password' };
let original: ServiceEnv;

beforeEach(() => {
  original = getRuntime().env;
});
afterEach(async () => {
  changeEnv(original);
  await prismaClient().workspace.deleteMany();
  await prismaClient().user.deleteMany();
});

describe('with ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  test('the first start creates an owner who can sign in and has a workspace', async () => {
    changeEnv(admin);
    expect(await ensureFirstOwner()).toEqual({ kind: 'created', email: 'ada@example.com' });
    const user = await prismaClient().user.findFirstOrThrow({
      where: { email: 'ada@example.com' },
      include: { roles: true, memberships: true },
    });
    expect(await verifyPassword('a long password', user.passwordHash)).toBe(true);
    expect(user.roles).toMatchObject([{ roleId: systemRoleId('owner'), resourceType: null }]);
    expect(user.memberships).toHaveLength(1);
    expect(await prismaClient().auditEntry.count({ where: { workspaceId: user.memberships[0]?.workspaceId } })).toBe(1);
  });

  test('later starts change nothing, even if the variables differ', async () => {
    changeEnv(admin);
    await ensureFirstOwner();
    changeEnv({ adminEmail: 'bob@example.com', adminPassword: 'another password' });
    expect(await ensureFirstOwner()).toEqual({ kind: 'present' });
    expect(await prismaClient().user.count()).toBe(1);
  });

  test('of several processes that start together, one creates the owner', async () => {
    changeEnv(admin);
    const kinds = (await Promise.all([1, 2, 3, 4, 5].map(() => ensureFirstOwner()))).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['created', 'present', 'present', 'present', 'present']);
    expect(await prismaClient().workspace.count()).toBe(1);
  });
});

describe('without ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  const link = async () => {
    const found = await ensureFirstOwner();
    return found.kind === 'setup' ? new URL(found.url) : null;
  };

  test('every start prints the same link until there is an owner', async () => {
    const url = await link();
    expect(`${url?.origin}${url?.pathname}`).toBe('http://localhost:8080/setup');
    expect((await link())?.href).toBe(url?.href);
    await prismaClient().$transaction((db) =>
      createFirstOwner(db, { email: 'a@example.com', name: 'A', passwordHash: 'x' }),
    );
    expect(await ensureFirstOwner()).toEqual({ kind: 'present' });
    expect(await isOwnerNeeded(prismaClient())).toBe(false);
  });

  test('the page opens with the token of the link only', async () => {
    const token = (await link())?.searchParams.get('token') ?? '';
    expect(isSetupToken(token)).toBe(true);
    for (const wrong of [undefined, '', `${token}x`, token.toUpperCase(), 'ü']) expect(isSetupToken(wrong)).toBe(false);
    changeEnv({ jwtSecret: 'another secret of another installation' });
    expect(isSetupToken(token)).toBe(false);
  });

  test('in saas mode the page needs no token', () => {
    changeEnv({ deploymentEnv: 'saas' });
    expect(isSetupToken(undefined)).toBe(true);
  });
});

test('concurrent requests create one first owner', async () => {
  const tries = ['a', 'b', 'c', 'd'].map((name) =>
    prismaClient().$transaction((db) =>
      createFirstOwner(db, { email: `${name}@example.com`, name, passwordHash: 'x' }),
    ),
  );
  const made = (await Promise.all(tries)).filter((owner) => owner !== null);
  expect(made).toHaveLength(1);
  expect(await prismaClient().user.count()).toBe(1);
});
