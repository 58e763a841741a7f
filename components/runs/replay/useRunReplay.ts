import { useMemo, useState } from 'react';
import type { LiveRun } from '../live';
import { listRunMoments, replayRun } from './run-moments';

const NO_MOMENTS: readonly number[] = [];

/** A run with the moment of it that is shown. */
export interface RunReplay {
  moments: readonly number[];
  /** The time that is shown, in milliseconds since the epoch. Undefined: the run as it is now. */
  at: number | undefined;
  show(at: number | undefined): void;
}

/** Lets a person look at any moment of a run. `shown` is the run as it was then; nothing is read for it. */
export function useRunReplay(execution: LiveRun | undefined): RunReplay & { shown: LiveRun | undefined } {
  const [chosen, choose] = useState<{ id: string; at: number }>();
  const id = execution?.id;
  const at = chosen !== undefined && chosen.id === id ? chosen.at : undefined;
  const moments = useMemo(() => (execution ? listRunMoments(execution) : NO_MOMENTS), [execution]);
  const shown = useMemo(() => (execution && at !== undefined ? replayRun(execution, at) : execution), [execution, at]);
  return {
    moments,
    at,
    shown,
    show: (next) => choose(next === undefined || id === undefined ? undefined : { id, at: next }),
  };
}
