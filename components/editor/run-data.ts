import { createContext, use } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Run } from '../executions/live';
import type { Rounds } from '../executions/useRounds';

/** The run whose data helps to write: the one started here, else the workflow's last. */
export interface RunData {
  execution: Run | undefined;
  /** Of the nodes on the canvas. */
  results: ReadonlyMap<string, NodeResult>;
  /** Inside a loop: which of its rounds that is, and the others. */
  rounds: Rounds;
  /** Saves what is on the canvas, as runs need it; false: that did not work. */
  save(): Promise<boolean>;
  onStarted(executionId: string): void;
}

/** True once a node was at work in a run: there is something to look at. */
export const hasRun = ({ status }: NodeResult): boolean => status !== 'pending' && status !== 'skipped';

export const RunDataContext = createContext<RunData | undefined>(undefined);

export function useRunData(): RunData {
  const data = use(RunDataContext);
  if (!data) throw new Error('There is no run data around this component');
  return data;
}
