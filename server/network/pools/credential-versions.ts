import { databasePool } from '@/server/platform/db/client';

/** The current versions of credentials; deleted ones are left out. */
export async function findCredentialVersions(ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await databasePool().query<{ id: string; version: number }>({
    name: 'pools.credential-versions',
    text: 'SELECT id, version FROM credential WHERE id = ANY($1)',
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map(({ id, version }) => [id, version]));
}
