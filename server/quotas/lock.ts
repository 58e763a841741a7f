import type { Db } from '@/server/db/client';

/** An advisory lock until the transaction ends: counts made under it stay true until then. */
export const lockCount = (db: Db, name: string, scope: string): Promise<number> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`count:${name}:${scope}`}, 0))`;
