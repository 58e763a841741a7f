import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HIDDEN_LINK_TOKEN } from '@/server/people/access/links';
import { hashApiKey, generateApiKey } from '@/server/people/auth/api-key';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { buildCallUrl } from '@/server/engine/attempt/call-link';
import { buildUser, join, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { Client, startChannel, TestRun } from './testing/rig';

useDatabase();

const REFUSED = ['!The execution does not exist.'];
let port: number;
let stop: () => Promise<void>;
const clients: Client[] = [];

beforeAll(async () => {
  ({ port, stop } = await startChannel());
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate();
});
afterAll(() => stop());

async function watching(token: string, run: TestRun): Promise<Client> {
  const client = await Client.connect(port, token);
  clients.push(client);
  client.subscribe(run.id);
  await client.until(() => client.of(run.id).length).toBe(1);
  return client;
}

async function keyOf({ id: userId, workspaceId }: TestUser, scopes: string[], expiresAt?: Date): Promise<string> {
  const key = generateApiKey();
  const facts = { name: 'key', hint: key.slice(-4), scopes, expiresAt };
  await prismaClient().apiKey.create({
    data: { id: generateId('key'), workspaceId, userId, hash: hashApiKey(key), ...facts },
  });
  return key;
}

describe('an API key as token', () => {
  test('watches the runs of its workspace, and no other workspace of its creator', async () => {
    const [user, other] = [await buildUser(), await buildUser()];
    await join(user.id, other.workspaceId, 'owner');
    const key = await keyOf(user, ['read']);
    const [own, elsewhere] = [await TestRun.accept(user.workspaceId), await TestRun.accept(other.workspaceId)];
    const client = await watching(key, own);
    expect(client.of(own.id)).toEqual(['pending']);
    expect((await watching(key, elsewhere)).of(elsewhere.id)).toEqual(REFUSED);
  });

  test('a revoked key closes the connection with 4401, and opens none', async () => {
    const user = await buildUser();
    const key = await keyOf(user, ['*']);
    const client = await watching(key, await TestRun.accept(user.workspaceId));
    await prismaClient().apiKey.updateMany({ where: { hash: hashApiKey(key) }, data: { revokedAt: new Date() } });
    await client.until(() => client.closedWith).toBe(4401);
    const again = await Client.connect(port, key);
    await again.until(() => again.closedWith).toBe(4401);
  });

  test('an expired or invented key opens no connection', async () => {
    const user = await buildUser();
    for (const key of [await keyOf(user, ['*'], new Date(0)), generateApiKey(), 'wk_nonsense']) {
      const client = await Client.connect(port, key);
      await client.until(() => client.closedWith).toBe(4401);
    }
  });
});

describe('the rules for calls also apply to sockets', () => {
  const change = (workspaceId: string, settings: object) =>
    prismaClient().workspace.update({ where: { id: workspaceId }, data: { settings } });

  test('a session for one workspace cannot watch the runs of others', async () => {
    const [user, other] = [await buildUser(), await buildUser()];
    await join(user.id, other.workspaceId, 'viewer');
    await prismaClient().session.update({ where: { id: user.sessionId }, data: { workspaceId: user.workspaceId } });
    const [own, elsewhere] = [await TestRun.accept(user.workspaceId), await TestRun.accept(other.workspaceId)];
    expect((await watching(user.token, own)).of(own.id)).toEqual(['pending']);
    expect((await watching(user.token, elsewhere)).of(elsewhere.id)).toEqual(REFUSED);
  });

  test('a workspace with its own sign-in refuses password sessions, except of owners', async () => {
    const owner = await buildUser();
    const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
    await change(owner.workspaceId, { ssoRequired: true });
    const run = await TestRun.accept(owner.workspaceId);
    expect((await watching(viewer.token, run)).of(run.id)).toEqual(REFUSED);
    expect((await watching(owner.token, run)).of(run.id)).toEqual(['pending']);
  });

  test('a person who must first set up a second factor cannot watch', async () => {
    const user = await buildUser();
    await change(user.workspaceId, { mfaPolicy: 'required' });
    const run = await TestRun.accept(user.workspaceId);
    expect((await watching(user.token, run)).of(run.id)).toEqual(REFUSED);
  });

  test('a member who loses every role during a run receives no further messages', async () => {
    const user = await buildUser({ role: 'viewer' });
    const run = await TestRun.accept(user.workspaceId);
    const client = await watching(user.token, run);
    await prismaClient().roleAssignment.deleteMany({ where: { userId: user.id } });
    await run.write({ nodes: { start: { status: 'completed', port: 'output', output: 'secret' } } });
    await client.until(() => client.of(run.id)).toEqual(['pending', ...REFUSED]);
  });
});

test('links that carry rights reach admins only', async () => {
  const admin = await buildUser({ role: 'admin' });
  const { workspaceId } = admin;
  const others = [await buildUser({ workspaceId, role: 'viewer' }), await buildUser({ workspaceId, role: 'editor' })];
  const run = await TestRun.accept(workspaceId);
  const tokens = [admin.token, ...others.map(({ token }) => token), await keyOf(admin, ['read'])];
  const watchers = await Promise.all(tokens.map((token) => watching(token, run)));
  const link = buildCallUrl({ executionId: run.id, nodeId: 'w' });
  await run.write({ nodes: { a: { status: 'completed', port: 'output', output: { tell: [link] } } } });
  await run.write({ status: 'completed', output: link });
  for (const [index, watcher] of watchers.entries()) {
    await watcher.until(() => watcher.heard.at(-1)?.type).toBe('execution_completed');
    const heard = JSON.stringify(watcher.heard);
    expect([heard.includes(link), heard.includes(HIDDEN_LINK_TOKEN)]).toEqual([index === 0, index !== 0]);
  }
});
