import { createServer, type Server } from 'node:http';
import { ConfigurationError, type Env } from '@/server/env/env';

/** Opens a port, which the variable `name` names. Throws `ConfigurationError`. */
export const listen = (server: Server, name: string, { port, host }: { port: number; host: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message;
      reject(new ConfigurationError([`${name} ${port} on HOST ${host} cannot be opened: ${why}`]));
    });
    server.listen(port, host, resolve);
  });

/** Checks the port first, so that a conflict fails before anything else starts. */
export async function claimPort(env: Env): Promise<void> {
  const probe = createServer();
  await listen(probe, 'PORT', env);
  await new Promise((resolve) => probe.close(resolve));
}

const WHY: Partial<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'that is not allowed',
  EADDRNOTAVAIL: 'this machine has no such address',
};
