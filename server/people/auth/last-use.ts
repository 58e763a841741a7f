import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { isReadOnlyFailure } from '@/server/platform/db/failures/sql-state';
import { currentMaintenance } from '@/server/platform/maintenance';
import { findApiKeyCaller, markApiKeyUsed, type ApiKeyCaller } from './api-key';
import { markSessionUsed } from './session-life';

/**
 * Stores that the session or API key of a call was used, before the call continues: sessions with an idle limit depend
 * on it. Nothing is stored while the database takes no changes, because reading goes on.
 */
export async function storeLastUse({
  sessionId,
  apiKeyId,
}: Pick<AuthenticatedPerson, 'sessionId' | 'apiKeyId'>): Promise<void> {
  if (currentMaintenance()) return;
  try {
    if (sessionId !== null) await markSessionUsed(sessionId);
    if (apiKeyId) await markApiKeyUsed(apiKeyId);
  } catch (error) {
    if (!isReadOnlyFailure(error)) throw error;
  }
}

/** The caller of a key, whose last use is stored once a minute. Null if the key is not valid. */
export async function findCallerUsingKey(key: string): Promise<ApiKeyCaller | null> {
  const standing = await findApiKeyCaller(key);
  if (standing?.isUseOld) await storeLastUse(standing.person);
  return standing;
}
