import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether a server that speaks first does so at the port. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (isThere: boolean) => {
      resolve(isThere);
      socket.destroy();
    };
    socket.once('data', () => tell(true));
    socket.once('error', () => tell(false));
    socket.once('close', () => tell(false));
  });
}

/** Ends a server. SIGTERM: it ends its other processes itself. */
export async function endServer(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}
