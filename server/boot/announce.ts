import type { Ownership } from '../auth/first-owner';
import type { Env } from '../env';

interface Facts {
  env: Env;
  ownership: Ownership;
  isWeb: boolean;
  isWorker: boolean;
  databasePid: number | null;
}

/** Says where the service is, how to get in, and which processes make it up. */
export function announce({ env, ownership, isWeb, isWorker, databasePid }: Facts): void {
  const halves = [isWeb && 'web', isWorker && 'worker'].filter(Boolean).join(' and ');
  const lines = [
    ...(isWeb ? [`Weft is ready at ${env.apiBaseUrl}`] : ['Weft is ready to run workflows']),
    ...(isWeb || ownership.kind === 'created' ? [signIn(ownership)] : []),
    `Processes: ${halves} ${process.pid}${databasePid ? `, PostgreSQL ${databasePid}` : ''}`,
  ];
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
}

function signIn(ownership: Ownership): string {
  switch (ownership.kind) {
    case 'present':
      return 'Sign in with your account';
    case 'created':
      return `Sign in as ${ownership.email} with the password in ADMIN_PASSWORD`;
    case 'setup':
      return `Make the first account: ${ownership.url}`;
  }
}
