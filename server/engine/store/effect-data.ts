import type { Db } from '@/server/db/client';
import type { EffectData } from '@/server/nodes/node';
import { memory } from '@/server/remember/memory';

/** What the effect of a node may read and change, in a transaction: data of the workspace of its run. */
export const effectData = (db: Db, run: { workspaceId: string; workflowId: string }): EffectData => ({
  memory: memory(db, run),
});
