import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that takes its time and remembers who called. */
export interface SlowTarget {
  url: string;
  /** How often each path was called. */
  calls: Map<string, number>;
  close(): Promise<void>;
}

export async function startSlowTarget(delayMs: number): Promise<SlowTarget> {
  const calls = new Map<string, number>();
  const answer = (response: ServerResponse, path: string) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ path }));
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.set(path, (calls.get(path) ?? 0) + 1);
    setTimeout(() => answer(response, path), delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
