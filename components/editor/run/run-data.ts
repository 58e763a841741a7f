import { createContext, use } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Run } from '@/components/executions/live';
import type { Rounds } from '@/components/executions/timeline/useRounds';

/** The run that previews take data from: the one started here, otherwise the latest. */
export interface RunData {
  execution: Run | undefined;
  /** Results of the nodes on the canvas. */
  results: ReadonlyMap<string, NodeResult>;
  /** Inside a loop: the chosen round and the others. */
  rounds: Rounds;
  /** Saves the draft and its pins before a run; false: it failed. */
  save(): Promise<boolean>;
  onStarted(executionId: string): void;
}

/** Whether a node has started in a run, so that there is a result. */
export const hasRun = ({ status }: NodeResult): boolean => status !== 'pending' && status !== 'skipped';

export const RunDataContext = createContext<RunData | undefined>(undefined);

export function useRunData(): RunData {
  const data = use(RunDataContext);
  if (!data) throw new Error('There is no run data around this component');
  return data;
}
