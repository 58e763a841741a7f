import { serviceLog } from '@/server/platform/log';
import type { AfterRunEnds } from '../store/checkpoint';
import { admitQueuedRuns } from './admission/limits';
import { wakeParentRuns } from './child-sweep';

/** Wakes the parents of ended runs and admits queued runs. If this fails, the sweeps do it. */
export const wakeAfterRunEnds: AfterRunEnds = async (ended) => {
  const parents = ended.flatMap(({ parentId }) => parentId ?? []);
  const limited = ended.flatMap(({ limitedWorkspaceId: limitedIn }) => limitedIn ?? []);
  try {
    if (parents.length > 0) await wakeParentRuns(parents);
    if (limited.length > 0) await admitQueuedRuns(limited);
  } catch (error) {
    serviceLog().warn({ err: error }, 'parents or queued runs were not woken after the end of a run');
  }
};
