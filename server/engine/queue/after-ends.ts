import { log } from '@/server/log';
import type { AfterEnds } from '../store/checkpoint';
import { admit } from './admission/limits';
import { wakeParents } from './child-sweep';

/** After the ends of runs: wakes parents and admits queued runs. If this fails, the sweeps do it. */
export const wakeAfterEnds: AfterEnds = async (ended) => {
  const parents = ended.flatMap(({ parentId }) => parentId ?? []);
  const limited = ended.flatMap(({ limitedIn }) => limitedIn ?? []);
  try {
    if (parents.length > 0) await wakeParents(parents);
    if (limited.length > 0) await admit(limited);
  } catch (error) {
    log().warn({ err: error }, 'parents or queued runs were not woken after the end of a run');
  }
};
