import path from 'node:path';
import { madeKeys } from '@/server/boot/keys';
import { connect } from '@/server/db/client';
import { startEmbedded } from '@/server/db/postgres/embedded';
import { ConfigurationError, readEnv } from '@/server/env/env';
import { version } from '@/server/release';
import { root } from '@/server/root';
import { checkup, type Finding } from './checkup';
import { lookAtFolders, lookAtVariables } from './checkup-installation';

const SIGNS = { good: '✓', warning: '!', bad: '✗' };
const report = ({ about, verdict, text }: Finding) => process.stdout.write(`${SIGNS[verdict]} ${about}: ${text}\n`);

// `npm run doctor`: checks configuration, folders, database, maintenance, keys, mail and Redis with the environment of the service, while it
// runs or without it. Like a start it makes keys, folders and the embedded database where there are none, and starts that. Exit code 1 if
// a check fails.
try {
  const env = readEnv(undefined, (dataDir) =>
    madeKeys(dataDir, (text) => report({ about: 'keys', verdict: 'warning', text })),
  );
  report({ about: 'version', verdict: 'good', text: `${version}, Node.js ${process.versions.node}` });
  report({ about: 'configuration', verdict: 'good', text: `${env.deploymentEnv}, ${env.apiBaseUrl}` });
  lookAtVariables().forEach(report);
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
} catch (error) {
  const complaints = error instanceof ConfigurationError ? error.complaints : [String(error)];
  for (const text of complaints) report({ about: 'configuration', verdict: 'bad', text });
  process.exitCode = 1;
}
