import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { move } from '@/server/backup/move';
import { fileStorage, filesFolder } from '@/server/files/storage';
import { root } from '@/server/root';
import { runtime } from '@/server/runtime';
import { command, databaseUrl } from './command';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

// `npm run move -- --to <address>`: copies the database of a stopped service into an empty one. The old one is only
// read. Exit code 1 if it fails; the service must then not be started on the new database.
void command(
  async () => {
    const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
    if (!to) {
      process.stderr.write('Usage: npm run move -- --to postgres://user:password@host/name\n');
      return 1;
    }
    const { encryptionKeys, filesUrl = null } = runtime().env;
    await mkdir(filesFolder(), { recursive: true, mode: 0o700 });
    const { tables, rows } = await move(
      { url: databaseUrl(), version, filesAt: filesUrl, key: encryptionKeys[0] ?? '' },
      {
        url: to,
        migrations: path.join(root, 'prisma/migrations'),
        files: fileStorage(),
        temporary: filesFolder(),
        keys: encryptionKeys,
      },
    );
    process.stdout.write(
      `${rows} rows of ${tables} tables. Set DATABASE_URL to the new address and start the service\n`,
    );
    return 0;
  },
  { isMigrating: false },
);
