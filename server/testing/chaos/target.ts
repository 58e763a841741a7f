import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Happening } from './history';
import type { Random } from './random';

export interface Target {
  url: string;
  close(): Promise<void>;
}

const SLOWEST_MS = 400;
const FAILING = 0.05;

/** The target of the runs' calls: records each call, responds with a delay, and sometimes with 503. */
export async function startTarget(history: Happening[], random: Random): Promise<Target> {
  const server = createServer(async (request, response) => {
    const at = Number(request.headers['x-visited-at']);
    const body = await text(request).catch(() => null);
    // The request was aborted before it arrived: there was no call.
    if (body === null || body === '') return void response.destroy();
    history.push({ kind: 'called', at, key: String(request.headers['idempotency-key']), body: JSON.parse(body) });
    await pause(random.between(5, SLOWEST_MS));
    response.writeHead(random.chance(FAILING) ? 503 : 200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
