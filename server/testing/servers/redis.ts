import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { commandSearchPath } from '@/server/platform/env/search-path';
import { until } from '../runs';
import { freePort } from '../listen';

/** A separate Redis without persistence, for tests that flush or kill it. */
export interface RedisServer {
  url: string;
  /** A client to inspect its content. */
  client: Redis;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** `more`: further options of the program. */
export async function startRedis(...more: string[]): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => 50 });
  // Errors are reported by the commands.
  client.on('error', () => undefined);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more];
    server = spawn('redis-server', options, {
      stdio: 'ignore',
      env: { NODE_ENV: 'test', PATH: commandSearchPath() },
    });
    // A missing installation is reported below.
    server.once('error', () => undefined);
    if (client.status === 'wait') await client.connect().catch(() => undefined);
    await until(
      async () => (await client.ping().catch(() => null)) === 'PONG',
      'redis-server (apt install redis-server)',
    );
  }

  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url,
    client,
    kill,
    start,
    async remove() {
      client.disconnect();
      await kill();
    },
  };
}
