import { rmSync } from 'node:fs';
import path from 'node:path';
import { buildEvaluator } from '@/scripts/build.mjs';
import type { TestProject } from 'vitest/node';
import pg from 'pg';
import { migrateDatabase } from '@/server/platform/db/migrate';
import { partitionRunTables } from '@/server/engine/store/partitions/convert';
import { addressOf, administer, startCluster } from './cluster';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that all test files share. */
    postgresUrl: string;
    /** Data folder of a stopped server whose database is migrated, as a start of the service leaves it. */
    dataTemplate: string;
  }
}

export const TEMPLATE = 'weft_template';
/** The same as migrations leave it, in every run. */
export const PLAIN = 'weft_plain';

/** The projects whose tests use them. */
const SERVED = ['service', 'process', 'growth'];

/**
 * The program of the evaluator processes, and one PostgreSQL for the whole run, with a migrated database that each test
 * file copies.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.projects.some(({ name }) => SERVED.includes(name))) return undefined;
  await buildEvaluator();
  const first = await startCluster();
  await migrateDatabase(first.url, path.resolve(import.meta.dirname, '../../prisma/migrations'));
  await first.stop();
  const cluster = await startCluster({}, first.dataDir);
  const own = new URL(cluster.url).pathname.slice(1);
  for (const name of [TEMPLATE, PLAIN]) await administer(cluster.url, `CREATE DATABASE ${name} TEMPLATE ${own}`);
  // `PARTITIONED_RUNS=1`: tests with tables as `npm run partition` leaves them.
  if (process.env.PARTITIONED_RUNS) await partition(addressOf(cluster.url, TEMPLATE));
  project.provide('postgresUrl', cluster.url);
  project.provide('dataTemplate', first.dataDir);
  return async () => {
    await cluster.remove();
    rmSync(first.dataDir, { recursive: true, force: true });
  };
}

async function partition(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await partitionRunTables(client, 7);
  await client.end();
}
