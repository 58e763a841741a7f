// A process without pages: HTTP server and live channel, and a worker if it has both roles. For tests that start and
// kill many of them, where building the pages first would take longer than the tests.
import { createServer } from 'node:http';
import { watchMaintenance } from '@/server/boot/maintenance-watch';
import { attachChannel } from '@/server/channel/attach';
import { markPeer, createHttpServer } from '@/server/http/server';
import { connect } from '@/server/db/client';
import { redisDispatcher } from '@/server/dispatch/redis';
import { startWorker } from '@/server/engine/worker';
import { readEnv } from '@/server/env/env';
import { runtime, setRuntime } from '@/server/runtime';
import { printUndescribed } from '../undescribed';

const env = readEnv();
const { pool, aside, prisma } = connect(env.databaseUrl ?? '', { directUrl: env.databaseDirectUrl });
setRuntime({ env, pool, aside, prisma, dispatcher: env.redisUrl ? redisDispatcher(env.redisUrl) : undefined });
// Not in every process: it takes longer than most of them live.
if (process.env['COMPARES_ANSWERS']) {
  const { compareReply } = await import('@/server/testing/described-answers');
  runtime().inspectReply = (arrival, reply) => compareReply(arrival, reply, printUndescribed);
}

const pages = createServer((_request, response) => response.writeHead(404).end());
const http = createHttpServer((request, response) => pages.emit('request', request, response));
const channel = await attachChannel(http);
http.on('upgrade', (request, socket, head) => {
  markPeer(request);
  if (!channel.handleUpgrade(request, socket, head)) socket.destroy();
});
await watchMaintenance(async () => undefined);
if (env.role === 'all') await startWorker({ concurrency: env.workerConcurrency });
http.listen(env.port, '127.0.0.1', () => process.stdout.write(`Processes: web ${process.pid}\n`));
