import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that opens connections for others (CONNECT). */
export interface ConnectProxy {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** What it was asked to connect to, as `host:port`. */
  asked: string[];
  /** The credentials that came with it; null: none. */
  credentials: (string | null)[];
}

/**
 * Starts a proxy that runs until the test ends. `knows`: addresses of names, as the proxy resolves them. `refusal`: the
 * status with which it refuses everything.
 */
export async function startConnectProxy({
  knows = {},
  refusal,
}: { knows?: Record<string, string>; refusal?: number } = {}): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => void sockets.add(socket.on('error', () => undefined));
  const asked: string[] = [];
  const credentials: (string | null)[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, near: Socket) => {
    keep(near);
    asked.push(url);
    const [, encoded] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? [];
    credentials.push(encoded ? Buffer.from(encoded, 'base64').toString() : null);
    if (refusal) return void near.end(`HTTP/1.1 ${refusal} Refused\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${url}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const far = connect({ host: knows[host] ?? host, port: Number(port || 80) });
    keep(far);
    far.once('connect', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.once('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, credentials };
}
