import path from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { connect, pool, prisma } from '../db/client';
import { migrate } from '../db/migrate';
import { setRuntime } from '../runtime';
import { startCluster, type Cluster } from '../testing/cluster';
import { testEnv } from '../testing/database';
import { buildUser } from '../testing/factories';
import { Client, startChannel, TestRun } from './testing/rig';

let cluster: Cluster;

beforeAll(async () => {
  // Durable, as a real one is: the shared test server may lose its last commits in a crash.
  cluster = await startCluster({ synchronous_commit: 'on' });
  await migrate(cluster.url, path.resolve(import.meta.dirname, '../../prisma/migrations'));
  setRuntime({ env: testEnv({ databaseUrl: cluster.url }), ...connect(cluster.url) });
});
afterAll(async () => {
  await prisma().$disconnect();
  await pool().end();
  setRuntime(undefined);
  await cluster.remove();
});

test('a crash of the database in the middle of a run loses watchers nothing', async () => {
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
