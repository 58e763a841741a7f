import path from 'node:path';
import { madeKeys } from '../boot/keys';
import { connect } from '../db/client';
import { startEmbedded } from '../db/embedded';
import { ConfigurationError, readEnv } from '../env';
import { checkup, type Finding } from './checkup';

const SIGNS = { good: '✓', warning: '!', bad: '✗' };
const report = ({ about, verdict, text }: Finding) => process.stdout.write(`${SIGNS[verdict]} ${about}: ${text}\n`);

// `npm run doctor`: configuration, database, keys, mail and Redis, with the environment of the service, beside it or
// without it. Changes nothing but for starting the embedded database where nobody runs it. Exit code 1 if anything is bad.
try {
  const env = readEnv(undefined, (dataDir) =>
    madeKeys(dataDir, (text) => report({ about: 'keys', verdict: 'warning', text })),
  );
  report({ about: 'configuration', verdict: 'good', text: `${env.deploymentEnv}, ${env.apiBaseUrl}` });
  const embedded = env.databaseUrl ? undefined : await startEmbedded({ dataDir: env.dataDir });
  const { pool, prisma } = connect(env.databaseUrl ?? embedded?.url ?? '');
  try {
    const findings = await checkup(env, pool, path.resolve(import.meta.dirname, '../../prisma/migrations'));
    findings.forEach(report);
    process.exitCode = findings.some(({ verdict }) => verdict === 'bad') ? 1 : 0;
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
