import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { restoreBackup } from '@/server/operate/backup/restore';
import { openFileStorage, filesFolder } from '@/server/data/files/storage';
import { repositoryRoot } from '@/server/platform/root';
import { getRuntime } from '@/server/platform/runtime';
import { runOperatorCommand, commandDatabaseUrl } from './command';

const USAGE = 'Usage: npm run restore -- <file> [--keep-maintenance]\n';

// `npm run restore -- <file>`: restores a backup into an empty database, before the first start of the service on it.
// The maintenance in which the backup was made ends, unless `--keep-maintenance` is given. Exit code 1 if the file or
// the database is refused; then nothing was restored.
void runOperatorCommand(
  async () => {
    const { values, positionals } = parseArgs({
      options: { 'keep-maintenance': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) {
      process.stderr.write(USAGE);
      return 1;
    }
    const keepsMaintenance = values['keep-maintenance'];
    const { encryptionKeys, filesUrl = null } = getRuntime().env;
    await mkdir(filesFolder(), { recursive: true, mode: 0o700 });
    const { tables, rows, files, lostFiles, header, maintenance } = await restoreBackup(file, {
      url: commandDatabaseUrl(),
      migrations: path.join(repositoryRoot, 'prisma/migrations'),
      files: openFileStorage(),
      temporary: filesFolder(),
      keys: encryptionKeys,
      keepsMaintenance,
    });
    process.stdout.write(`${rows} rows of ${tables} tables, ${files} files, as of ${header.createdAt}\n`);
    if (maintenance !== undefined)
      process.stdout.write(
        `The backup was made in maintenance (${maintenance}) ${
          keepsMaintenance
            ? 'The service stays in it until `npm run maintenance -- off`\n'
            : 'It is over: held deliveries start with the service\n'
        }`,
      );
    if (header.filesAt !== null && header.filesAt !== filesUrl)
      process.stderr.write(
        `The files were not in the backup: set FILES_URL to ${header.filesAt}, or to a copy of it\n`,
      );
    if (lostFiles.length > 0)
      process.stderr.write(
        `${lostFiles.length} files had no content when the backup was made: ${lostFiles.join(' ')}\n`,
      );
    return 0;
  },
  { usage: USAGE, isMigrating: false },
);
