import { createServer, type Server } from 'node:http';
import { ConfigurationError, type ServiceEnv } from '@/server/platform/env/env';

/** Opens a port, which the variable `name` names. Throws `ConfigurationError`. */
export const listenOnPort = (
  server: Server,
  name: string,
  { port, host }: { port: number; host: string },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = PORT_ERROR_REASONS[error.code ?? ''] ?? error.message;
      reject(new ConfigurationError([`${name} ${port} on HOST ${host} cannot be opened: ${why}`]));
    });
    server.listen(port, host, resolve);
  });

/** Checks the port first, so that a conflict fails before anything else starts. */
export async function requireFreePort(env: ServiceEnv): Promise<void> {
  const probe = createServer();
  await listenOnPort(probe, 'PORT', env);
  await new Promise((resolve) => probe.close(resolve));
}

const PORT_ERROR_REASONS: Partial<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'that is not allowed',
  EADDRNOTAVAIL: 'this machine has no such address',
};
