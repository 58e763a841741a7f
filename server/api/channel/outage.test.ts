import { afterAll, beforeAll, inject, test } from 'vitest';
import { openDatabaseConnections, databasePool, prismaClient } from '@/server/platform/db/client';
import { setRuntime } from '@/server/platform/runtime';
import { startCluster, type Cluster } from '@/server/testing/cluster';
import { testEnv } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { Client, startChannel, TestRun } from './testing/rig';

let cluster: Cluster;

beforeAll(async () => {
  // With durable commits, like production: the shared test server may lose its last commits in a crash.
  cluster = await startCluster({ synchronous_commit: 'on' }, inject('dataTemplate'));
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), ...openDatabaseConnections(cluster.url) });
});
afterAll(async () => {
  await prismaClient().$disconnect();
  await databasePool().end();
  setRuntime(undefined);
  await cluster.remove();
});

test('watchers lose no messages when the database crashes during a run', async () => {
  const user = await buildUser();
  const [run, other] = [await TestRun.accept(user.workspaceId), await TestRun.accept(user.workspaceId)];
  const channel = await startChannel();
  const client = await Client.connect(channel.port, user.token);
  client.subscribe(run.id);
  await client.until(() => client.of(run.id)).toEqual(['pending']);
  await run.write({ nodes: { start: { status: 'completed', port: 'output', output: 1 } } });
  await cluster.restart('kill');
  client.subscribe(other.id);
  await run.write({ nodes: { a: { status: 'running' } } });
  await run.write({ status: 'completed', output: 2, nodes: { a: { status: 'completed', port: 'true', output: 2 } } });
  await client.until(() => client.of(run.id).at(-1)).toBe('END completed=2');
  await client.until(() => client.of(other.id)).toEqual(['pending']);
  await client
    .until(() => client.of(run.id).filter((line) => line.includes('=')))
    .toEqual(['start=1', 'a=2', 'END completed=2']);
  client.socket.terminate();
  await channel.stop();
});
