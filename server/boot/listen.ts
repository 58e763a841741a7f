import type { Server } from 'node:http';
import { ConfigurationError } from '@/server/env/env';

/** Opens a port, which the variable `name` names. Throws `ConfigurationError`. */
export const listen = (server: Server, name: string, { port, host }: { port: number; host: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message;
      reject(new ConfigurationError([`${name} ${port} on HOST ${host} cannot be opened: ${why}`]));
    });
    server.listen(port, host, resolve);
  });

const WHY: Partial<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'that is not allowed',
  EADDRNOTAVAIL: 'this machine has no such address',
};
