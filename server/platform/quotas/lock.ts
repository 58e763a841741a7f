import type { DatabaseClient } from '@/server/platform/db/client';

/** An advisory lock until the transaction ends: counts made under it stay true until then. */
export const lockObjectCount = (db: DatabaseClient, name: string, scope: string): Promise<number> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`count:${name}:${scope}`}, 0))`;
