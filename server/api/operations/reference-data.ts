import type { OperationCall } from '@/server/api/operation/operation';
import type { DatabaseClient } from '@/server/platform/db/client';
import { forgetReferenceData, notifyReferenceData } from '@/server/engine/attempt/reference-data';

/**
 * Makes all processes drop what they cache about a workspace or workflow: this one before it responds, the others by a
 * notification at commit.
 */
export async function announceReferenceData(
  db: DatabaseClient,
  id: string,
  afterwards: OperationCall['afterwards'],
): Promise<void> {
  await notifyReferenceData(db, [id]);
  afterwards(async () => forgetReferenceData([id]));
}
