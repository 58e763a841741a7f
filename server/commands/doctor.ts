import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { keysFile, madeKeys } from '@/server/boot/keys';
import { connect } from '@/server/db/client';
import { startEmbedded } from '@/server/db/postgres/embedded';
import { ConfigurationError, readEnv } from '@/server/env/env';
import { version } from '@/server/release';
import { root } from '@/server/root';
import { checkup, type Finding } from './checkup';
import { lookAtFolders, lookAtVariables } from './checkup-installation';
import { isHelpWanted } from './command';

const USAGE = `Usage: npm run doctor

Checks configuration, folders, database, maintenance, keys, mail and Redis with the environment of the service.
`;

/** Stand for keys that the first start makes. They open nothing. */
const NO_KEYS = { JWT_SECRET: randomUUID(), ENCRYPTION_KEY: randomUUID(), MFA_SECRET_KEY: randomUUID() };

const SIGNS = { good: '✓', warning: '!', bad: '✗' };
const report = ({ about, verdict, text }: Finding) => process.stdout.write(`${SIGNS[verdict]} ${about}: ${text}\n`);

const reportUnused = (dataDir: string) =>
  report({
    about: 'data folder',
    verdict: 'warning',
    text: `nothing is in ${path.resolve(dataDir)} yet: the first start makes what is missing of keys, folders and database there`,
  });

// `npm run doctor`: checks configuration, folders, database, maintenance, keys, mail and Redis with the environment of the service, while it
// runs or without it. It starts the embedded database if that does not run. Before the first start there is nothing to check but the
// configuration, and the doctor makes nothing. Exit code 1 if a check fails.
async function examine(): Promise<void> {
  let isUnused = false;
  const env = readEnv(undefined, (dataDir) => {
    isUnused = !existsSync(keysFile(dataDir));
    return isUnused ? NO_KEYS : madeKeys(dataDir, () => undefined);
  });
  report({ about: 'version', verdict: 'good', text: `${version}, Node.js ${process.versions.node}` });
  report({ about: 'configuration', verdict: 'good', text: `${env.deploymentEnv}, ${env.apiBaseUrl}` });
  lookAtVariables().forEach(report);
  if (isUnused || (!env.databaseUrl && !existsSync(path.join(env.dataDir, 'postgres')))) {
    reportUnused(env.dataDir);
    return;
  }
  const folders = await lookAtFolders(env);
  folders.forEach(report);
  const embedded = env.databaseUrl ? undefined : await startEmbedded({ dataDir: env.dataDir });
  const { pool, prisma } = connect(env.databaseUrl ?? embedded?.url ?? '', { directUrl: env.databaseDirectUrl });
  try {
    const findings = await checkup(env, pool, path.join(root, 'prisma/migrations'));
    findings.forEach(report);
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
  for (const text of complaints) report({ about: 'configuration', verdict: 'bad', text });
  process.exitCode = 1;
}
