import type { Call } from '@/server/api/operation';
import type { Db } from '@/server/db/client';
import { forgetReferenceData, notifyReferenceData } from '@/server/engine/attempt/reference-data';

/**
 * Has processes drop what they cache about a workspace or workflow: this one before the answer, others by a notification of the commit.
 */
export async function announceReferenceData(db: Db, id: string, afterwards: Call['afterwards']): Promise<void> {
  await notifyReferenceData(db, [id]);
  afterwards(async () => forgetReferenceData([id]));
}
