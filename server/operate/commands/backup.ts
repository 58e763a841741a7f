import { parseArgs } from 'node:util';
import { createBackup } from '@/server/operate/backup/backup';
import { openFileStorage } from '@/server/data/files/storage';
import { version } from '@/server/platform/release';
import { getRuntime } from '@/server/platform/runtime';
import { runOperatorCommand, commandDatabaseUrl } from './command';

const USAGE = 'Usage: npm run backup -- --out <file>\n';

// `npm run backup -- --out <file>`: writes all rows and local files of one moment into a file, while the service runs
// or without it. Exit code 1 if it fails; 2 if it is complete except for files whose bytes are lost.
void runOperatorCommand(
  async () => {
    const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
    if (!out) {
      process.stderr.write(USAGE);
      return 1;
    }
    const { filesUrl = null, encryptionKeys } = getRuntime().env;
    const { tables, rows, files, lostFiles, header } = await createBackup(out, {
      url: commandDatabaseUrl(),
      version,
      files: filesUrl === null ? openFileStorage() : null,
      filesAt: filesUrl,
      key: encryptionKeys[0] ?? '',
    });
    process.stdout.write(`${out}: ${rows} rows of ${tables} tables, ${files} files\n`);
    if (filesUrl !== null) process.stdout.write(`The files are not in it: they are in ${filesUrl}\n`);
    process.stdout.write(`Keep apart from it, a restore needs them: ${header.keys.join(', ')}\n`);
    if (lostFiles.length === 0) return 0;
    process.stderr.write(`${lostFiles.length} files have no content: ${lostFiles.join(' ')}\n`);
    return 2;
  },
  { usage: USAGE, isMigrating: false },
);
