import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { forwardHeldDeliveries, moveDatabase } from '@/server/operate/backup/move';
import { openFileStorage, filesFolder } from '@/server/data/files/storage';
import { version } from '@/server/platform/release';
import { repositoryRoot } from '@/server/platform/root';
import { getRuntime } from '@/server/platform/runtime';
import { runOperatorCommand, commandDatabaseUrl, reopenCommandDatabase } from './command';

const MOVE_USAGE = `Usage: npm run move -- --to postgres://user:password@host/name [--forward]

  --forward   only forwards held deliveries, after a move whose command was interrupted
`;

async function moveDatabaseTo(url: string): Promise<void> {
  const { encryptionKeys, filesUrl = null } = getRuntime().env;
  await mkdir(filesFolder(), { recursive: true, mode: 0o700 });
  process.stdout.write('Maintenance begins: changes are refused, and deliveries of webhooks are held\n');
  const { tables, rows } = await moveDatabase(
    { url: commandDatabaseUrl(), version, filesAt: filesUrl, key: encryptionKeys[0] ?? '' },
    {
      url,
      migrations: path.join(repositoryRoot, 'prisma/migrations'),
      files: openFileStorage(),
      temporary: filesFolder(),
      keys: encryptionKeys,
    },
  );
  process.stdout.write(
    `${rows} rows of ${tables} tables were copied. Set DATABASE_URL to the new address and restart all processes of the service.\n` +
      'Until then this command forwards held deliveries: do not stop it\n',
  );
}

// `npm run move -- --to <address>`: copies the database into an empty one, while the service is in maintenance or
// stopped. The old one stays in maintenance. Exit code 1 if it fails; the service must then not be started on the new
// database.
void runOperatorCommand(
  async () => {
    const { to, forward = false } = parseArgs({
      options: { to: { type: 'string' }, forward: { type: 'boolean' } },
    }).values;
    if (!to) {
      process.stderr.write(MOVE_USAGE);
      return 1;
    }
    if (!forward) await moveDatabaseTo(to);
    const count = await forwardHeldDeliveries(reopenCommandDatabase, to);
    process.stdout.write(`No process uses the old database any more. Forwarded deliveries: ${count}\n`);
    return 0;
  },
  { usage: MOVE_USAGE, isMigrating: false },
);
