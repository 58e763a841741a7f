import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate';
import { addressOf, administer, startCluster } from './cluster';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that all test files share. */
    postgresUrl: string;
  }
}

export const TEMPLATE = 'weft_template';

/** One PostgreSQL for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  await administer(cluster.url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(addressOf(cluster.url, TEMPLATE), path.resolve(import.meta.dirname, '../../prisma/migrations'));
  project.provide('postgresUrl', cluster.url);
  return () => cluster.remove();
}
