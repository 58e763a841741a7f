import type { Person } from '@/server/access/caller';
import { isReadOnlyFailure } from '@/server/db/failures/sql-state';
import { maintenance } from '@/server/maintenance';
import { callerFromKey, markKeyUsed, type KeyStanding } from './api-key';
import { markUsed } from './session-life';

/**
 * Stores that the session or API key of a call was used, before the call continues: sessions with an idle limit depend on it. Nothing is stored while
 * the database takes no changes, because reading goes on.
 */
export async function storeLastUse({ sessionId, apiKeyId }: Pick<Person, 'sessionId' | 'apiKeyId'>): Promise<void> {
  if (maintenance()) return;
  try {
    if (sessionId !== null) await markUsed(sessionId);
    if (apiKeyId) await markKeyUsed(apiKeyId);
  } catch (error) {
    if (!isReadOnlyFailure(error)) throw error;
  }
}

/** The caller of a key, whose last use is stored once a minute. Null if the key is not valid. */
export async function callerUsingKey(key: string): Promise<KeyStanding | null> {
  const standing = await callerFromKey(key);
  if (standing?.isUseOld) await storeLastUse(standing.person);
  return standing;
}
