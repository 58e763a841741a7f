import type { Ownership } from '@/server/accounts/first-owner';
import type { Env } from '@/server/env/env';
import { version } from '@/server/release';
import { say } from './say';

interface Facts {
  env: Env;
  ownership: Ownership;
  isWeb: boolean;
  isWorker: boolean;
  databasePid: number | null;
}

/** Prints the address of the service, how to sign in, and its processes. */
export function announce({ env, ownership, isWeb, isWorker, databasePid }: Facts): void {
  const halves = [isWeb && 'web', isWorker && 'worker'].filter(Boolean).join(' and ');
  const lines = [
    ...(isWeb ? [`Weft ${version} is ready at ${env.apiBaseUrl}`] : [`Weft ${version} is ready to run workflows`]),
    ...(isWeb || ownership.kind === 'created' ? [signIn(ownership)] : []),
    `Processes: ${halves} ${process.pid}${databasePid ? `, PostgreSQL ${databasePid}` : ''}`,
  ];
  say(`\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

function signIn(ownership: Ownership): string {
  switch (ownership.kind) {
    case 'present':
      return 'Sign in with your account';
    case 'created':
      return `Sign in as ${ownership.email} with the password in ADMIN_PASSWORD`;
    case 'setup':
      return `Create the first account: ${ownership.url}`;
  }
}
