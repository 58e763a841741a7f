import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importWorkspace, type WorkspaceImportResult } from '@/server/operate/backup/workspace/import';
import { openFileStorage, filesFolder } from '@/server/data/files/storage';
import { version } from '@/server/platform/release';
import { repositoryRoot } from '@/server/platform/root';
import { getRuntime } from '@/server/platform/runtime';
import { runOperatorCommand, commandDatabaseUrl } from './command';
import { readPassphrase } from './passphrase';

const WORKSPACE_IMPORT_USAGE =
  'Usage: npm run workspace:import -- <file> [--slug <slug>] [--owner <email>] [--accept-members] [--activate]\n';

// `npm run workspace:import -- <file>`: imports a workspace of another installation, while the service runs or without
// it. Exit code 1 if it is refused; then nothing was imported. 2 if some files had no content.
void runOperatorCommand(
  async () => {
    const options = {
      slug: { type: 'string' },
      owner: { type: 'string' },
      'accept-members': { type: 'boolean', default: false },
      activate: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) {
      process.stderr.write(WORKSPACE_IMPORT_USAGE);
      return 1;
    }
    const { encryptionKeys, rateLimitTier, multiTenant } = getRuntime().env;
    await mkdir(filesFolder(), { recursive: true, mode: 0o700 });
    const imported = await importWorkspace(
      file,
      {
        passphrase: await readPassphrase({ isNew: false }),
        slug: values.slug,
        owner: values.owner,
        isActive: values.activate,
        areMembersAccepted: values['accept-members'],
      },
      {
        url: commandDatabaseUrl(),
        version,
        migrations: path.join(repositoryRoot, 'prisma/migrations'),
        files: openFileStorage(),
        temporary: filesFolder(),
        keys: encryptionKeys,
        tier: rateLimitTier,
        areAddressesTrusted: !multiTenant,
      },
    );
    process.stdout.write(`${importReportLines(imported, rateLimitTier, values).join('\n')}\n`);
    if (imported.lostFiles.length === 0) return 0;
    process.stderr.write(`${imported.lostFiles.length} files had no content: ${imported.lostFiles.join(' ')}\n`);
    return 2;
  },
  { usage: WORKSPACE_IMPORT_USAGE, isMigrating: false },
);

interface ImportFlags {
  owner?: string | undefined;
  activate: boolean;
  'accept-members': boolean;
}

function importReportLines(
  { header, slug, rows, files, people }: WorkspaceImportResult,
  tier: string,
  { activate, owner, 'accept-members': areAccepted }: ImportFlags,
): string[] {
  const { id, tier: before } = header.workspace;
  const asked = getRuntime().env.multiTenant ? [...people.matched, ...people.created] : people.matched;
  const waiting = (areAccepted ? [] : asked).filter((email) => email !== owner?.toLowerCase());
  const list = (what: string, emails: string[]) => (emails.length > 0 ? [`${what}: ${emails.join(' ')}`] : []);
  return [
    `The workspace ${slug} (${id}) as of ${header.createdAt}: ${rows} rows, ${files} files`,
    ...list('New accounts without a password (sign in through a provider, or npm run recover)', people.created),
    ...list('Accounts that existed', people.matched),
    ...list('They become members when they accept', waiting),
    ...list('Not members, because the account with their address here has not confirmed it', people.leftOut),
    ...(before === tier ? [] : [`Its tier is ${tier}; it was ${before} (npm run tier)`]),
    activate
      ? 'Triggers are active and runs go on: the source must not run them any more'
      : 'Its active workflows are paused, and runs that had not ended rest: see docs/operate/move-workspace.md',
  ];
}
