import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { keysFile, readOrCreateKeys } from '@/server/operate/boot/keys';
import { openDatabaseConnections } from '@/server/platform/db/client';
import { startEmbeddedDatabase } from '@/server/platform/db/postgres/embedded';
import { ConfigurationError, readServiceEnv } from '@/server/platform/env/env';
import { version } from '@/server/platform/release';
import { repositoryRoot } from '@/server/platform/root';
import { checkInstallation, type CheckupFinding } from './checkup';
import { checkFolders, checkVariables } from './checkup-installation';
import { isHelpWanted } from './command';

const USAGE = `Usage: npm run doctor

Checks configuration, folders, database, maintenance, keys, mail and Redis with the environment of the service.
`;

/** Stand for keys that the first start makes. They open nothing. */
const NO_KEYS = { JWT_SECRET: randomUUID(), ENCRYPTION_KEY: randomUUID(), MFA_SECRET_KEY: randomUUID() };

const VERDICT_MARKERS = { good: '✓', warning: '!', bad: '✗' };
const printFinding = ({ about, verdict, text }: CheckupFinding) =>
  process.stdout.write(`${VERDICT_MARKERS[verdict]} ${about}: ${text}\n`);

const reportUnused = (dataDir: string) =>
  printFinding({
    about: 'data folder',
    verdict: 'warning',
    text: `nothing is in ${path.resolve(dataDir)} yet: the first start makes what is missing of keys, folders and database there`,
  });

// `npm run doctor`: checks configuration, folders, database, maintenance, keys, mail and Redis with the environment of
// the service, while it runs or without it. It starts the embedded database if that does not run. Before the first
// start there is nothing to check but the configuration, and the doctor makes nothing. Exit code 1 if a check fails.
async function examine(): Promise<void> {
  let isUnused = false;
  const env = readServiceEnv(undefined, (dataDir) => {
    isUnused = !existsSync(keysFile(dataDir));
    return isUnused ? NO_KEYS : readOrCreateKeys(dataDir, () => undefined);
  });
  printFinding({ about: 'version', verdict: 'good', text: `${version}, Node.js ${process.versions.node}` });
  printFinding({ about: 'configuration', verdict: 'good', text: `${env.deploymentEnv}, ${env.apiBaseUrl}` });
  checkVariables().forEach(printFinding);
  if (isUnused || (!env.databaseUrl && !existsSync(path.join(env.dataDir, 'postgres')))) {
    reportUnused(env.dataDir);
    return;
  }
  const folders = await checkFolders(env);
  folders.forEach(printFinding);
  const embedded = env.databaseUrl ? undefined : await startEmbeddedDatabase({ dataDir: env.dataDir });
  const { pool, prisma } = openDatabaseConnections(env.databaseUrl ?? embedded?.url ?? '', {
    directUrl: env.databaseDirectUrl,
  });
  try {
    const findings = await checkInstallation(env, pool, path.join(repositoryRoot, 'prisma/migrations'));
    findings.forEach(printFinding);
    process.exitCode = [...folders, ...findings].some(({ verdict }) => verdict === 'bad') ? 1 : 0;
  } finally {
    await prisma.$disconnect();
    await pool.end();
    await embedded?.stop();
  }
}

try {
  if (isHelpWanted()) process.stdout.write(USAGE);
  else await examine();
} catch (error) {
  const complaints = error instanceof ConfigurationError ? error.complaints : [String(error)];
  for (const text of complaints) printFinding({ about: 'configuration', verdict: 'bad', text });
  process.exitCode = 1;
}
