import { parseArgs } from 'node:util';
import { exportWorkspace } from '@/server/operate/backup/workspace/export';
import { openFileStorage } from '@/server/data/files/storage';
import { version } from '@/server/platform/release';
import { getRuntime } from '@/server/platform/runtime';
import { runOperatorCommand, commandDatabaseUrl } from './command';
import { readPassphrase } from './passphrase';

const WORKSPACE_EXPORT_USAGE =
  'Usage: npm run workspace:export -- --workspace <id or slug> --out <file> [--without-runs]\n';

// `npm run workspace:export`: writes one workspace of one moment into a file, while the service runs or without it.
// Exit code 1 if it fails; 2 if it is complete except for files whose bytes are lost.
void runOperatorCommand(
  async () => {
    const options = {
      workspace: { type: 'string' },
      out: { type: 'string' },
      'without-runs': { type: 'boolean', default: false },
    } as const;
    const { workspace, out, 'without-runs': isWithoutRuns } = parseArgs({ options }).values;
    if (!workspace || !out) {
      process.stderr.write(WORKSPACE_EXPORT_USAGE);
      return 1;
    }
    const { rows, files, lostFiles, header } = await exportWorkspace(
      out,
      { workspace, hasRuns: !isWithoutRuns, passphrase: await readPassphrase({ isNew: true }) },
      { url: commandDatabaseUrl(), version, files: openFileStorage(), keys: getRuntime().env.encryptionKeys },
    );
    process.stdout.write(
      `${out}: the workspace ${header.workspace.slug} (${header.workspace.id}), ${rows} rows, ${files} files\n` +
        'Its secrets are sealed with the passphrase. The rest can be read by anyone who has the file\n',
    );
    if (lostFiles.length === 0) return 0;
    process.stderr.write(`${lostFiles.length} files have no content: ${lostFiles.join(' ')}\n`);
    return 2;
  },
  { usage: WORKSPACE_EXPORT_USAGE, isMigrating: false },
);
