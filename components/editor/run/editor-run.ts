import { createContext, use } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { LiveRun } from '@/components/runs/live';
import type { CanvasRounds, ReadCanvasRounds } from '@/components/runs/timeline/useCanvasRounds';

/** The run that previews take data from: the one started here, otherwise the latest. */
export interface EditorRun {
  execution: LiveRun | undefined;
  /** The same run in its present state, also while an earlier moment of it is shown. Further runs and tests use it. */
  latest: LiveRun | undefined;
  /** Results of the nodes of the edited definition. */
  results: ReadonlyMap<string, NodeResult>;
  /** Inside a loop: the chosen round and the others. */
  rounds: CanvasRounds;
  /** The same inside the loops of a path. */
  readRounds: ReadCanvasRounds;
  /** Saves the draft and its pins before a run; false: it failed. */
  save(): Promise<boolean>;
  onStarted(executionId: string): void;
}

/** Whether a node has started in a run, so that there is a result. */
export const hasNodeStarted = ({ status }: NodeResult): boolean => status !== 'pending' && status !== 'skipped';

export const EditorRunContext = createContext<EditorRun | undefined>(undefined);

export function useEditorRun(): EditorRun {
  const data = use(EditorRunContext);
  if (!data) throw new Error('There is no run data around this component');
  return data;
}
