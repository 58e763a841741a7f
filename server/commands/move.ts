import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { forwardHeld, move } from '@/server/backup/move';
import { fileStorage, filesFolder } from '@/server/files/storage';
import { version } from '@/server/release';
import { root } from '@/server/root';
import { runtime } from '@/server/runtime';
import { command, databaseUrl, reopenDatabase } from './command';

const USAGE = `Usage: npm run move -- --to postgres://user:password@host/name [--forward]

  --forward   only forwards held deliveries, after a move whose command was interrupted
`;

async function moveTo(url: string): Promise<void> {
  const { encryptionKeys, filesUrl = null } = runtime().env;
  await mkdir(filesFolder(), { recursive: true, mode: 0o700 });
  process.stdout.write('Maintenance begins: changes are refused, and deliveries of webhooks are held\n');
  const { tables, rows } = await move(
    { url: databaseUrl(), version, filesAt: filesUrl, key: encryptionKeys[0] ?? '' },
    {
      url,
      migrations: path.join(root, 'prisma/migrations'),
      files: fileStorage(),
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
void command(
  async () => {
    const { to, forward = false } = parseArgs({
      options: { to: { type: 'string' }, forward: { type: 'boolean' } },
    }).values;
    if (!to) {
      process.stderr.write(USAGE);
      return 1;
    }
    if (!forward) await moveTo(to);
    const count = await forwardHeld(reopenDatabase, to);
    process.stdout.write(`No process uses the old database any more. Forwarded deliveries: ${count}\n`);
    return 0;
  },
  { usage: USAGE, isMigrating: false },
);
