// A process without the pages: HTTP doors and live channel, and a worker if it has both roles. For tests that start and
// kill many of them, where building the pages first would take longer than the tests.
import { createServer } from 'node:http';
import { attachChannel } from '../channel/attach';
import { markPeer, openDoors } from '../boot/doors';
import { connect } from '../db/client';
import { redisDispatcher } from '../dispatch/redis';
import { startWorker } from '../engine/worker';
import { readEnv } from '../env';
import { setRuntime } from '../runtime';

const env = readEnv();
const { pool, prisma } = connect(env.databaseUrl ?? '');
setRuntime({ env, pool, prisma, dispatcher: env.redisUrl ? redisDispatcher(env.redisUrl) : undefined });

const pages = createServer((_request, response) => response.writeHead(404).end());
const http = openDoors((request, response) => pages.emit('request', request, response));
const channel = await attachChannel(http);
http.on('upgrade', (request, socket, head) => {
  markPeer(request);
  if (!channel.handleUpgrade(request, socket, head)) socket.destroy();
});
if (env.role === 'all') await startWorker({ concurrency: env.workerConcurrency });
http.listen(env.port, '127.0.0.1', () => process.stdout.write(`Processes: web ${process.pid}\n`));
