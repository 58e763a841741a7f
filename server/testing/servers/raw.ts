import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that keeps to no protocol: `act` has each connection. Listens until the test ends. Returns its port. */
export async function listenRaw(act: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    act(socket);
  });
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
