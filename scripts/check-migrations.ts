// Checks that the migrations result in the schema that prisma/schema.prisma describes.
import { spawnSync } from 'node:child_process';
import { migrateDatabase } from '../server/platform/db/migrate';
import { startCluster } from '../server/testing/cluster';

const cluster = await startCluster();
try {
  await migrateDatabase(cluster.url, 'prisma/migrations');
  const difference = ['diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'];
  const { status } = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'migrate', ...difference], {
    env: { ...process.env, DATABASE_URL: cluster.url },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  await cluster.remove();
}
