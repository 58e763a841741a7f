import type { OwnershipStatus } from '@/server/people/accounts/first-owner';
import type { ServiceEnv } from '@/server/platform/env/env';
import { version } from '@/server/platform/release';
import { printMessage } from './print-message';

interface StartAnnouncement {
  env: ServiceEnv;
  ownership: OwnershipStatus;
  isWeb: boolean;
  isWorker: boolean;
  databasePid: number | null;
}

/** Prints the address of the service, how to sign in, and its processes. */
export function announceStart({ env, ownership, isWeb, isWorker, databasePid }: StartAnnouncement): void {
  const halves = [isWeb && 'web', isWorker && 'worker'].filter(Boolean).join(' and ');
  const lines = [
    ...(isWeb ? [`Weft ${version} is ready at ${env.apiBaseUrl}`] : [`Weft ${version} is ready to run workflows`]),
    ...(isWeb || ownership.kind === 'created' ? [signInHint(ownership)] : []),
    `Processes: ${halves} ${process.pid}${databasePid ? `, PostgreSQL ${databasePid}` : ''}`,
  ];
  printMessage(`\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

function signInHint(ownership: OwnershipStatus): string {
  switch (ownership.kind) {
    case 'present':
      return 'Sign in with your account';
    case 'created':
      return `Sign in as ${ownership.email} with the password in ADMIN_PASSWORD`;
    case 'setup':
      return `Create the first account: ${ownership.url}`;
  }
}
