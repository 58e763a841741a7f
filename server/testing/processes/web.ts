// A process without pages: HTTP server and live channel, and a worker if it has both roles. For tests that start and
// kill many of them, where building the pages first would take longer than the tests.
import { createServer } from 'node:http';
import { watchMaintenance } from '@/server/operate/boot/maintenance-watch';
import { attachLiveChannel } from '@/server/api/channel/attach';
import { setPeerHeader, createHttpServer } from '@/server/api/http/server';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { createRedisDispatcher } from '@/server/platform/dispatch/redis';
import { startWorker } from '@/server/engine/worker';
import { readServiceEnv } from '@/server/platform/env/env';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { printUndescribed } from '../undescribed';

const env = readServiceEnv();
const { pool, aside, prisma } = openDatabaseConnections(env.databaseUrl ?? '', { directUrl: env.databaseDirectUrl });
setRuntime({ env, pool, aside, prisma, dispatcher: env.redisUrl ? createRedisDispatcher(env.redisUrl) : undefined });
// Not in every process: it takes longer than most of them live.
if (process.env['COMPARES_ANSWERS']) {
  const { compareReply } = await import('@/server/testing/described-answers');
  getRuntime().inspectReply = (arrival, reply) => compareReply(arrival, reply, printUndescribed);
}

const pages = createServer((_request, response) => response.writeHead(404).end());
const http = createHttpServer((request, response) => pages.emit('request', request, response));
const channel = await attachLiveChannel(http);
http.on('upgrade', (request, socket, head) => {
  setPeerHeader(request);
  if (!channel.handleUpgrade(request, socket, head)) socket.destroy();
});
await watchMaintenance(async () => undefined);
if (env.role === 'all') await startWorker({ concurrency: env.workerConcurrency });
http.listen(env.port, '127.0.0.1', () => process.stdout.write(`Processes: web ${process.pid}\n`));
